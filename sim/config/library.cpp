#include "sim/config/library.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/config/load.h"
#include "sim/units/text.h"

namespace flotilla::config {

namespace fs = std::filesystem;

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::scenario:
      return "scenario";
    case Kind::model:
      return "model";
    case Kind::platform:
      return "platform";
    case Kind::gpu:
      return "GPU";
    case Kind::link:
      return "link";
    case Kind::library:
      return "collective library";
  }
  return "file";
}

std::string kind_folder(Kind kind) {
  switch (kind) {
    case Kind::scenario:
      return "scenarios";
    case Kind::model:
      return "models";
    case Kind::platform:
      return "platforms";
    case Kind::gpu:
      return "platforms/gpus";
    case Kind::link:
      return "platforms/links";
    case Kind::library:
      return "platforms/libraries";
  }
  return "";
}

namespace {

void collect(const fs::path& folder, const std::string& prefix, bool recursive,
             std::vector<std::string>& names) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& path = entry->path();
    std::error_code unknown;
    if (fs::is_directory(path, unknown)) {
      if (recursive) collect(path, prefix + path.filename().string() + "/", recursive, names);
    } else if (path.extension() == ".json") {
      names.push_back(prefix + path.stem().string());
    }
  }
}

// The text or number at a path of a tree, for a title.
std::string shown(const JsonValue& root, std::string_view path) {
  const JsonValue* node = root.at(path);
  return node != nullptr && (node->is_text() || node->kind == JsonValue::Kind::number) ? node->text
                                                                                       : "";
}

std::int64_t number(const JsonValue& root, std::string_view path) {
  const JsonValue* node = root.at(path);
  return node != nullptr && node->kind == JsonValue::Kind::number && std::abs(node->number) < 1e15
             ? static_cast<std::int64_t>(node->number)
             : 0;
}

std::string title(const JsonValue& root, Kind kind) {
  const std::string name = shown(root, "name");
  switch (kind) {
    case Kind::model:
      return name + ": " + shown(root, "layers") + " layers, hidden " +
             grouped(number(root, "hidden")) + ", " + shown(root, "heads") + " heads";
    case Kind::platform:
      return name + ": " + grouped(number(root, "nodes") * number(root, "node.gpus")) + " x " +
             shown(root, "gpu.name");
    default:
      return name + ": tp " + grouped(std::max<std::int64_t>(number(root, "layout.tp"), 1)) +
             ", pp " + grouped(std::max<std::int64_t>(number(root, "layout.pp"), 1)) + " on " +
             grouped(std::max<std::int64_t>(number(root, "layout.gpus"), 1)) + " x " +
             shown(root, "platform.gpu.name");
  }
}

std::vector<Entry> entries(const std::string& library_root, Kind kind) {
  std::vector<Entry> list;
  for (const std::string& name : shipped_names(library_root, kind)) {
    const fs::path file = fs::path(library_root) / kind_folder(kind) / (name + ".json");
    try {
      ProblemList problems;
      list.push_back(
          {name, title(resolve_file(file.string(), kind, library_root, problems), kind)});
    } catch (const InvalidInput&) {
      list.push_back({name, "(this file cannot be read)"});
    }
  }
  return list;
}

}  // namespace

std::vector<std::string> shipped_names(const std::string& library_root, Kind kind) {
  std::vector<std::string> names;
  collect(fs::path(library_root) / kind_folder(kind), "", kind == Kind::scenario, names);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Entry> list_models(const std::string& library_root) {
  return entries(library_root, Kind::model);
}
std::vector<Entry> list_platforms(const std::string& library_root) {
  return entries(library_root, Kind::platform);
}
std::vector<Entry> list_scenarios(const std::string& library_root) {
  return entries(library_root, Kind::scenario);
}

}  // namespace flotilla::config
