#include "sim/config/resolve.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "sim/config/library.h"
#include "sim/config/reader.h"

namespace flotilla::config {

namespace fs = std::filesystem;

namespace {

// Where a tree may name a file instead of carrying the object.
struct Reference {
  std::string_view path;
  Kind kind;
};
constexpr std::array<Reference, 9> kReferences = {
    {{"model", Kind::model},
     {"platform", Kind::platform},
     {"platform.gpu", Kind::gpu},
     {"platform.library", Kind::library},
     {"platform.node.link", Kind::link},
     {"platform.node.nic", Kind::link},
     {"platform.node.pcie.link", Kind::link},
     {"platform.node.pcie.uplink", Kind::link},
     {"platform.node.pcie.interconnect", Kind::link}}};

const Reference* reference_at(std::string_view path) {
  const auto* found = std::find_if(kReferences.begin(), kReferences.end(),
                                   [&](const Reference& r) { return r.path == path; });
  return found == kReferences.end() ? nullptr : found;
}

// What an object describes, guessed from keys that only one kind has.
std::optional<Kind> looks_like(const JsonValue& node) {
  const auto has = [&](std::string_view key) { return node.find(key) != nullptr; };
  if (!node.is_object()) return std::nullopt;
  if (has("training") || has("layout") || (has("model") && has("platform"))) return Kind::scenario;
  if (has("hidden") || has("layers") || has("heads")) return Kind::model;
  if (has("nodes") || has("node") || has("tiers")) return Kind::platform;
  if (has("peak") || has("memory_bandwidth")) return Kind::gpu;
  if (has("protocols")) return Kind::library;
  if (has("bandwidth")) return Kind::link;
  return std::nullopt;
}

bool looks_like_hugging_face(const JsonValue& node) {
  return node.is_object() &&
         (node.find("hidden_size") != nullptr || node.find("architectures") != nullptr ||
          node.find("n_embd") != nullptr);
}

std::string with_article(Kind kind) {
  const std::string name = kind_name(kind);
  return "a " + name;
}

// True when the object may be of that kind; otherwise says what it looks like.
bool is_kind(const JsonValue& node, Kind kind, const std::string& path, const Place& named_at,
             ProblemList& problems) {
  Place place = node.place;
  place.length = 1;
  const std::string file = node.place.source->name;
  const bool named = named_at.source && named_at.source->name != file;
  const Place& where = named ? named_at : place;
  const std::string what = named ? file : "this";
  if (!node.is_object()) {
    problems.add(where, path,
                 "expected " + with_article(kind) + ", an object { ... }; " + what + " is " +
                     describe(node));
    return false;
  }
  const std::optional<Kind> looks = looks_like(node);
  if (looks && *looks != kind) {
    std::string hint;
    if (kind == Kind::scenario) {
      hint =
          "a scenario names a model and a platform, and has \"layout\" and \"training\"; "
          "`flotilla list` shows those that are shipped";
    }
    problems.add(where, path,
                 what + " describes " + with_article(*looks) + "; expected " + with_article(kind),
                 hint);
    return false;
  }
  if (!looks && looks_like_hugging_face(node)) {
    problems.add(where, path,
                 what + " looks like a Hugging Face config.json; expected " + with_article(kind),
                 "this version reads its own keys: see the shipped models/*.json");
    return false;
  }
  return true;
}

class Resolver {
 public:
  Resolver(std::string library_root, ProblemList& problems)
      : library_root_(std::move(library_root)), problems_(problems) {}

  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  // Replaces the file name at this path, if there is one, by what is in the file.
  void follow(JsonValue& node, const Reference& reference, const std::string& path) {
    if (!node.is_text() || !problems_.sound(path)) return;
    const Place named_at = node.place;
    try {
      const SourcePtr source = open(node, reference.kind);
      files_.push_back(source->name);
      JsonValue loaded = parse_json(source);
      if (is_kind(loaded, reference.kind, path, named_at, problems_)) node = std::move(loaded);
    } catch (const FileTrouble& trouble) {
      problems_.add(named_at, path, trouble.message, trouble.hint);
    } catch (const InvalidInput& malformed) {
      problems_.add(malformed);
      problems_.mark(path);
    }
  }

  // Follows every reference below `root`, which stands at `prefix` of a scenario.
  void follow_all(JsonValue& root, std::string_view prefix) {
    for (const Reference& reference : kReferences) {
      std::string_view path = reference.path;
      if (!prefix.empty()) {
        if (!path.starts_with(prefix) || path.size() == prefix.size()) continue;
        path.remove_prefix(prefix.size() + 1);
      }
      if (JsonValue* node = root.at(path)) follow(*node, reference, std::string(path));
    }
  }

  void apply(JsonValue& root, const std::string& text) {
    auto source = std::make_shared<SourceText>();
    source->name = "--set";
    source->text = text;
    const std::size_t equals = text.find('=');
    const std::string path = text.substr(0, std::min(equals, text.size()));
    const bool gap = path.empty() || path.front() == '.' || path.back() == '.' ||
                     path.find("..") != std::string::npos;
    if (equals == std::string::npos || equals + 1 == text.size() || gap) {
      problems_.add({source, 1, 1, static_cast<int>(text.size())}, path,
                    "expected path=value, like layout.tp=4");
      return;
    }
    std::optional<JsonValue> value = parse_value(source, equals + 1);
    if (value) put(root, source, path, std::move(*value));
  }

 private:
  SourcePtr open(const JsonValue& node, Kind kind) const {
    const std::string& name = node.text;
    const bool bare = name.find('/') == std::string::npos && !name.ends_with(".json");
    if (!bare) return open_beside(node.place.source->directory, name);
    const fs::path shipped = fs::path(library_root_) / kind_folder(kind) / (name + ".json");
    std::error_code error;
    if (!name.empty() && fs::exists(shipped, error)) return read_source(shipped.string());
    std::vector<std::string> names = shipped_names(library_root_, kind);
    const std::string near = nearest(name, names);
    std::string hint = near.empty() ? "" : "did you mean \"" + near + "\"? ";
    if (fs::exists(fs::path(node.place.source->directory) / (name + ".json"), error)) {
      hint = "for the file beside this one write \"" + name + ".json\". ";
    }
    hint += names.empty() ? "there are none in " + shipped.parent_path().string()
                          : "shipped: " + listed(names, 30);
    throw FileTrouble{"no " + kind_name(kind) + " of this name is shipped", hint};
  }

  static SourcePtr open_beside(const std::string& directory, const std::string& name) {
    const std::string path = (fs::path(directory) / name).string();
    try {
      return read_source(path);
    } catch (FileTrouble& trouble) {
      if (path != name && trouble.message == "no such file") trouble.message += ": " + path;
      throw;
    }
  }

  // JSON when it is JSON, otherwise the text as it stands: --set training.precision=fp16.
  std::optional<JsonValue> parse_value(const SourcePtr& source, std::size_t offset) {
    const char first = source->text[offset];
    try {
      return parse_json(source, offset);
    } catch (const InvalidInput& malformed) {
      if (first == '{' || first == '[' || first == '"') {
        problems_.add(malformed);
        return std::nullopt;
      }
    }
    JsonValue node;
    node.kind = JsonValue::Kind::text;
    node.text = source->text.substr(offset);
    node.place = {source, 1, columns(source->text, offset) + 1,
                  columns(source->text, source->text.size()) - columns(source->text, offset)};
    return node;
  }

  // Characters before a byte offset.
  static int columns(const std::string& text, std::size_t offset) {
    return static_cast<int>(
        std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  }

  // Walks down the path, following files and making objects on the way, and sets the value.
  void put(JsonValue& root, const SourcePtr& source, const std::string& path, JsonValue value) {
    JsonValue* node = &root;
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      const std::string key = path.substr(begin, end - begin);
      const Place key_place = {source, 1, columns(source->text, begin) + 1,
                               columns(source->text, end) - columns(source->text, begin)};
      const std::string parent = begin == 0 ? "" : path.substr(0, begin - 1);
      if (!can_hold(*node, key, parent, key_place)) return;
      if (node->find(key) == nullptr) {
        JsonValue empty;
        empty.kind = JsonValue::Kind::object;
        empty.place = key_place;
        node->members.push_back({key, key_place, std::move(empty)});
      }
      node = node->find(key);
      begin = end + 1;
      if (end == path.size()) break;
      const std::string here = path.substr(0, end);
      if (const Reference* reference = reference_at(here)) follow(*node, *reference, here);
    }
    if (value.kind == JsonValue::Kind::null) {
      take_out(root, path);
    } else {
      *node = std::move(value);
    }
  }

  // --set layout.vpp=null: as if the key were not there.
  static void take_out(JsonValue& root, const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const std::string key = dot == std::string::npos ? path : path.substr(dot + 1);
    JsonValue* parent = root.at(dot == std::string::npos ? "" : path.substr(0, dot));
    std::erase_if(parent->members, [&](const JsonMember& member) { return member.key == key; });
    if (parent->kind == JsonValue::Kind::list) {
      parent->items.erase(parent->items.begin() + (parent->find(key) - parent->items.data()));
    }
  }

  bool can_hold(const JsonValue& node, const std::string& key, const std::string& parent,
                const Place& place) {
    if (node.is_object() || node.find(key) != nullptr) return true;
    // A file that could not be read has its problem already.
    if (!problems_.sound(parent)) return false;
    std::string message = "\"" + parent + "\" is " + describe(node);
    if (node.kind == JsonValue::Kind::list) {
      message += " of " + std::to_string(node.items.size()) + ", counted from 0";
    }
    problems_.add(place, parent, message + ": there is no \"" + key + "\" in it");
    return false;
  }

  std::string library_root_;
  ProblemList& problems_;
  std::vector<std::string> files_;  // that were read
};

std::string scenario_hint(const std::string& file, const std::string& library_root) {
  for (const Kind kind : {Kind::model, Kind::platform}) {
    const std::vector<std::string> names = shipped_names(library_root, kind);
    if (std::find(names.begin(), names.end(), file) != names.end()) {
      return "\"" + file + "\" is " + with_article(kind) + ", which a scenario names";
    }
  }
  const std::string near = nearest(file, shipped_names(library_root, Kind::scenario));
  if (!near.empty()) return "did you mean \"" + near + "\"?";
  return "`flotilla list` shows the shipped scenarios";
}

SourcePtr open_scenario(const std::string& file, const std::string& library_root) {
  std::error_code error;
  if (file == "-" || fs::exists(file, error)) {
    if (!fs::is_directory(file, error)) return read_source(file);
  }
  const fs::path shipped = fs::path(library_root) / "scenarios" / (file + ".json");
  const bool bare = !file.empty() && !file.ends_with(".json") && fs::path(file).is_relative();
  if (bare && fs::is_regular_file(shipped, error)) {
    return read_source(shipped.string());
  }
  try {
    return read_source(file);
  } catch (FileTrouble& trouble) {
    if (trouble.hint.empty()) trouble.hint = scenario_hint(file, library_root);
    throw;
  }
}

// The root of a file that must be of a kind. Throws InvalidInput.
JsonValue read_root(const SourcePtr& source, Kind kind) {
  JsonValue root = parse_json(source);
  ProblemList problems;
  if (!is_kind(root, kind, "", {}, problems)) problems.throw_if_any();
  return root;
}

}  // namespace

JsonValue resolve_platform(const std::string& file, const Sources& sources, ProblemList& problems) {
  // A tree that names the platform as a scenario would, so that paths and overrides read alike.
  auto source = std::make_shared<SourceText>();
  source->name = "command line";
  source->text = file;
  JsonValue name;
  name.kind = JsonValue::Kind::text;
  name.text = file;
  name.place = {source, 1, 1, static_cast<int>(file.size())};
  JsonValue root;
  root.kind = JsonValue::Kind::object;
  root.place = name.place;
  root.members.push_back({"platform", name.place, std::move(name)});
  Resolver resolver(sources.library_root, problems);
  for (const std::string& text : sources.overrides) resolver.apply(root, text);
  resolver.follow_all(root, "");
  return root;
}

JsonValue resolve_scenario(const std::string& file, const Sources& sources, ProblemList& problems,
                           std::vector<std::string>& files) {
  SourcePtr source;
  try {
    source = open_scenario(file, sources.library_root);
  } catch (const FileTrouble& trouble) {
    Problem problem;
    problem.file = file;
    problem.message = trouble.message;
    problem.hint = trouble.hint;
    throw InvalidInput({problem});
  }
  JsonValue root = read_root(source, Kind::scenario);
  Resolver resolver(sources.library_root, problems);
  for (const std::string& text : sources.overrides) resolver.apply(root, text);
  resolver.follow_all(root, "");
  files = resolver.files();
  files.insert(files.begin(), source->name);
  return root;
}

JsonValue resolve_file(const std::string& file, Kind kind, const std::string& library_root,
                       ProblemList& problems) {
  JsonValue root;
  try {
    root = read_root(read_source(file), kind);
  } catch (const FileTrouble& trouble) {
    Problem problem;
    problem.file = file;
    problem.message = trouble.message;
    throw InvalidInput({problem});
  }
  Resolver resolver(library_root, problems);
  if (kind == Kind::platform) resolver.follow_all(root, "platform");
  if (kind == Kind::scenario) resolver.follow_all(root, "");
  return root;
}

}  // namespace flotilla::config
