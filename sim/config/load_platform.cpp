#include "sim/config/load_platform.h"

#include <algorithm>
#include <filesystem>

#include "sim/config/library.h"
#include "sim/config/read.h"
#include "sim/config/resolve.h"

namespace flotilla::config {

namespace {

namespace fs = std::filesystem;

std::string find_platform(const std::string& file, const std::string& library_root) {
  std::error_code error;
  if (file == "-" || fs::is_regular_file(file, error)) return file;
  const auto names = shipped_names(library_root, Kind::platform);
  if (std::find(names.begin(), names.end(), file) != names.end()) {
    return (fs::path(library_root) / kind_folder(Kind::platform) / (file + ".json")).string();
  }
  Problem problem;
  problem.file = file;
  problem.message = "there is no such platform file, and none is shipped under this name";
  const std::string near = nearest(file, names);
  problem.hint = near.empty() ? "`flotilla list` shows the shipped platforms"
                              : "did you mean \"" + near + "\"?";
  throw InvalidInput({problem});
}

}  // namespace

Platform load_platform(const std::string& file, const std::string& library_root) {
  ProblemList problems;
  const JsonValue tree =
      resolve_file(find_platform(file, library_root), Kind::platform, library_root, problems);
  Platform platform;
  read_platform(Reader(tree, "", problems), platform);
  problems.throw_if_any();
  if (platform.name.empty()) platform.name = "platform";
  if (platform.gpu.name.empty()) platform.gpu.name = "GPU";
  return platform;
}

}  // namespace flotilla::config
