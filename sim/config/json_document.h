// JSON text as a tree whose values know their place in the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/problem.h"
#include "sim/config/source_text.h"

namespace flotilla::config {

struct JsonMember;

struct JsonValue {
  enum class Kind { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;                 // of a text; of a number: as it is written
  std::vector<JsonValue> items;     // of a list
  std::vector<JsonMember> members;  // of an object, in the order of the text
  Place place;

  [[nodiscard]] bool is_object() const { return kind == Kind::object; }
  [[nodiscard]] bool is_text() const { return kind == Kind::text; }
  // The value of a key, or the item of an index; nullptr when there is none.
  [[nodiscard]] const JsonValue* find(std::string_view key) const;
  [[nodiscard]] JsonValue* find(std::string_view key);
  // The same along a dotted path: "platform.tiers.0.latency". The empty path is the node itself.
  [[nodiscard]] const JsonValue* at(std::string_view path) const;
  [[nodiscard]] JsonValue* at(std::string_view path);
};

struct JsonMember {
  std::string key;
  Place key_place;
  JsonValue value;
};

// `the number 8.5`, `the text "abc"`, `a list`: for messages.
std::string describe(const JsonValue& node);

// Parses the whole source; // and /* */ comments are allowed. Throws InvalidInput, with the place
// and in plain words. Nesting is limited to 64 levels, so no input can exhaust the stack.
JsonValue parse_json(const SourcePtr& source);

// Parses the source from a byte offset on: the value of "layout.tp=4".
JsonValue parse_json(const SourcePtr& source, std::size_t offset);

}  // namespace flotilla::config
