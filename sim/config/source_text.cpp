#include "sim/config/source_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "sim/config/problem.h"

namespace flotilla::config {

namespace fs = std::filesystem;

namespace {

// Scenarios are a few kilobytes; whatever is larger is some other file, named by mistake.
constexpr std::size_t kLargestFile = std::size_t{1} << 20;

std::string read_all(std::istream& stream) {
  std::string text(kLargestFile + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kLargestFile) {
    throw FileTrouble{"larger than 1 MiB: this is no file of flotilla's", ""};
  }
  return text;
}

// Standard input can be read only once; whoever asks again gets the same text.
const std::string& standard_input() {
  static const std::string text = read_all(std::cin);
  return text;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

FileTrouble missing(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    return {"no such file: there is no folder \"" + folder.string() + "\"", ""};
  }
  const std::vector<std::string> names = names_in(folder);
  const std::string name = path.filename().string();
  const bool forgot_extension =
      std::find(names.begin(), names.end(), name + ".json") != names.end();
  const std::string near = forgot_extension ? name + ".json" : nearest(name, names);
  return {"no such file",
          near.empty() ? "" : "did you mean \"" + (path.parent_path() / near).string() + "\"?"};
}

}  // namespace

std::string SourceText::line(int number) const {
  std::size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte-order mark is no column
  for (int n = 1; n < number; ++n) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return {};
    begin = end + 1;
  }
  std::string line = text.substr(begin, text.find('\n', begin) - begin);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

SourcePtr read_source(const std::string& path) {
  SourceText source;
  source.name = path;
  if (path == "-") {
    source.text = standard_input();
    return std::make_shared<const SourceText>(std::move(source));
  }
  if (path.empty() || path.find('\0') != std::string::npos) {
    throw FileTrouble{"not a file name", ""};
  }
  source.directory = fs::path(path).parent_path().string();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) throw missing(path);
  if (fs::is_directory(status)) {
    throw FileTrouble{"this is a directory; expected a JSON file", ""};
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw FileTrouble{
        std::string("cannot be read: ") + std::strerror(errno != 0 ? errno : error.value()), ""};
  }
  source.text = read_all(stream);
  return std::make_shared<const SourceText>(std::move(source));
}

}  // namespace flotilla::config
