#include "sim/config/json_document.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "sim/config/json_scanner.h"

namespace flotilla::config {

const JsonValue* JsonValue::find(std::string_view key) const {
  if (kind == Kind::list) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    const bool whole = error == std::errc() && end == key.data() + key.size();
    return whole && index < items.size() ? &items[index] : nullptr;
  }
  for (const JsonMember& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

JsonValue* JsonValue::find(std::string_view key) {
  return const_cast<JsonValue*>(static_cast<const JsonValue*>(this)->find(key));
}

const JsonValue* JsonValue::at(std::string_view path) const {
  const JsonValue* node = this;
  while (node != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    node = node->find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return node;
}

JsonValue* JsonValue::at(std::string_view path) {
  return const_cast<JsonValue*>(static_cast<const JsonValue*>(this)->at(path));
}

std::string describe(const JsonValue& node) {
  constexpr std::size_t kLongest = 60;
  switch (node.kind) {
    case JsonValue::Kind::null:
      return "null";
    case JsonValue::Kind::boolean:
      return node.boolean ? "true" : "false";
    case JsonValue::Kind::number:
      return "the number " + node.text.substr(0, kLongest);
    case JsonValue::Kind::text:
      if (node.text.size() <= kLongest) return "the text \"" + node.text + "\"";
      return "a text of " + std::to_string(node.text.size()) + " characters";
    case JsonValue::Kind::list:
      return "a list";
    case JsonValue::Kind::object:
      return "an object";
  }
  return "something else";
}

namespace {

constexpr int kDeepest = 64;

bool is_json_number(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > begin;
  };
  const auto next = [&](std::string_view any) {
    const bool there = i < text.size() && any.find(text[i]) != std::string_view::npos;
    if (there) ++i;
    return there;
  };
  next("-");
  if (!next("0") && !digits()) return false;
  if (next(".") && !digits()) return false;
  if (next("eE")) {
    next("+-");
    if (!digits()) return false;
  }
  return i == text.size();
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// A recursive-descent parser that stops at the first mistake. Recursion is bounded by kDeepest.
// It is our own because a person needs to hear where a value begins and, in words, what is wrong.
class Parser {
 public:
  Parser(const SourcePtr& source, std::size_t offset) : scan_(source, offset) {}

  JsonValue document() {
    scan_.skip_byte_order_mark();
    scan_.skip_blank();
    if (scan_.done()) scan_.fail(scan_.here(), "the file is empty; expected an object { ... }");
    JsonValue root = value(1);
    scan_.skip_blank();
    if (!scan_.done()) {
      scan_.fail(scan_.here(), "the file goes on after its end: " + scan_.found() +
                                   " follows the closed " +
                                   (root.is_object() ? "object" : "value"));
    }
    return root;
  }

 private:
  JsonValue value(int depth) {
    if (depth > kDeepest) {
      scan_.fail(scan_.here(), "nesting deeper than " + std::to_string(kDeepest) + " levels");
    }
    JsonValue node;
    node.place = scan_.here();
    if (scan_.at('{')) {
      object(node, depth);
    } else if (scan_.at('[')) {
      list(node, depth);
    } else if (scan_.at('"')) {
      node.kind = JsonValue::Kind::text;
      node.text = scan_.take_text();
    } else if (scan_.at_number()) {
      number(node);
    } else if (scan_.at_letter()) {
      literal(node);
    } else {
      no_value();
    }
    node.place = scan_.since(node.place);
    return node;
  }

  [[noreturn]] void no_value() const {
    const Place here = scan_.here();
    if (scan_.done()) scan_.fail(here, "the file ends where a value is expected");
    if (scan_.at('\'')) {
      scan_.fail(here, "texts are written in double quotes", "write \"...\" instead of '...'");
    }
    if (scan_.ahead("\xE2\x80\x9C") || scan_.ahead("\xE2\x80\x9D")) {
      scan_.fail(here, "a typographic quote; texts are written in plain double quotes \"...\"");
    }
    scan_.fail(here, "a value is missing: found " + scan_.found() + " instead");
  }

  void literal(JsonValue& node) {
    const std::string name = scan_.word();
    if (name == "true" || name == "false") {
      node.kind = JsonValue::Kind::boolean;
      node.boolean = name == "true";
    } else if (name != "null") {
      unknown_word(name);
    }
    scan_.advance(name.size());
  }

  [[noreturn]] void unknown_word(const std::string& name) const {
    const Place place = scan_.here(static_cast<int>(name.size()));
    const std::string lower = lower_case(name);
    if (lower == "nan" || lower == "inf" || lower == "infinity") not_finite(place, name);
    if (lower == "true" || lower == "false" || lower == "null") {
      scan_.fail(place, "written in lower case: " + lower);
    }
    scan_.fail(place, "found " + name + " where a value is expected",
               "texts are written in double quotes: \"" + name + "\"");
  }

  [[noreturn]] void not_finite(const Place& place, const std::string& written) const {
    scan_.fail(place, written + " is not a number that can be used here",
               "every value must be finite");
  }

  void number(JsonValue& node) {
    node.kind = JsonValue::Kind::number;
    node.text = scan_.take_run();
    const std::string& written = node.text;
    const Place place = scan_.since(node.place);
    if (!is_json_number(written)) malformed_number(place, written);
    const auto [end, error] =
        std::from_chars(written.data(), written.data() + written.size(), node.number);
    if (error == std::errc::result_out_of_range || !std::isfinite(node.number)) {
      scan_.fail(place, "out of the range of numbers (about 1e-308 to 1e308)");
    }
  }

  [[noreturn]] void malformed_number(const Place& place, const std::string& written) const {
    const std::string lower = lower_case(written);
    if (lower.find("inf") != std::string::npos || lower.find("nan") != std::string::npos) {
      not_finite(place, written);
    }
    const std::size_t letters = written.find_first_not_of("0123456789.-+");
    if (letters != std::string::npos && is_json_number(written.substr(0, letters))) {
      scan_.fail(place, "a value with a unit is written in quotes",
                 "\"" + written.substr(0, letters) + " " + written.substr(letters) + "\"");
    }
    scan_.fail(place, "not a number as JSON writes it", "like 12, -3.5 or 1e9");
  }

  // After a value: a comma (true) or the closing bracket (false).
  bool another(const Place& open, char close, const JsonValue& last) {
    const Place end_of_value = scan_.here();
    scan_.skip_blank();
    if (scan_.at(close)) {
      scan_.advance();
      return false;
    }
    if (!scan_.at(',')) no_comma(open, close, last, end_of_value);
    const Place comma = scan_.here();
    scan_.advance();
    scan_.skip_blank();
    if (scan_.at(close)) {
      scan_.fail(comma, std::string("remove this comma: nothing follows it before the ") + close);
    }
    return true;
  }

  [[noreturn]] void no_comma(const Place& open, char close, const JsonValue& last,
                             const Place& end_of_value) const {
    const std::string what = close == '}' ? "object" : "list";
    if (scan_.done()) {
      scan_.fail(open, "this " + what + " is never closed: the file ends before its " + close);
    }
    if (last.kind == JsonValue::Kind::number && scan_.at_letter()) {
      scan_.fail(last.place, "a value with a unit is written in quotes",
                 "\"" + last.text + " " + scan_.word() + "\"");
    }
    if (scan_.at('}') || scan_.at(']')) {
      const std::string bracket = scan_.at('}') ? "}" : "]";
      scan_.fail(scan_.here(), "this " + bracket + " does not close the " + what +
                                   " that opens in line " + std::to_string(open.line) +
                                   "; expected " + close);
    }
    scan_.fail(
        end_of_value,
        "a comma is missing here, before " + scan_.found() +
            (scan_.line() == end_of_value.line ? "" : " in line " + std::to_string(scan_.line())));
  }

  void list(JsonValue& node, int depth) {
    node.kind = JsonValue::Kind::list;
    const Place open = scan_.here();
    scan_.advance();
    scan_.skip_blank();
    if (scan_.at(']')) {
      scan_.advance();
      return;
    }
    do {
      if (scan_.done()) scan_.fail(open, "this list is never closed: the file ends before its ]");
      node.items.push_back(value(depth + 1));
    } while (another(open, ']', node.items.back()));
  }

  void object(JsonValue& node, int depth) {
    node.kind = JsonValue::Kind::object;
    const Place open = scan_.here();
    std::map<std::string, int> lines;  // of the keys so far
    scan_.advance();
    scan_.skip_blank();
    if (scan_.at('}')) {
      scan_.advance();
      return;
    }
    do {
      if (scan_.done()) {
        scan_.fail(open, "this object is never closed: the file ends before its }");
      }
      JsonMember member = key();
      const auto [first, is_new] = lines.emplace(member.key, member.key_place.line);
      if (!is_new) {
        scan_.fail(member.key_place, "the key \"" + member.key +
                                         "\" is given twice; the first is in line " +
                                         std::to_string(first->second));
      }
      member.value = value(depth + 1);
      node.members.push_back(std::move(member));
    } while (another(open, '}', node.members.back().value));
  }

  JsonMember key() {
    if (!scan_.at('"')) no_key();
    JsonMember member;
    member.key_place = scan_.here();
    member.key = scan_.take_text();
    member.key_place = scan_.since(member.key_place);
    const Place end = scan_.here();
    scan_.skip_blank();
    if (!scan_.at(':')) {
      scan_.fail(end, "a colon is missing after the key \"" + member.key + "\"");
    }
    scan_.advance();
    scan_.skip_blank();
    return member;
  }

  [[noreturn]] void no_key() const {
    if (scan_.at_letter()) {
      const std::string word = scan_.word();
      scan_.fail(scan_.here(static_cast<int>(word.size())), "keys are written in double quotes",
                 "\"" + word + "\": ...");
    }
    if (scan_.at('\'')) {
      scan_.fail(scan_.here(), "keys are written in double quotes, not in single ones");
    }
    scan_.fail(scan_.here(), "expected a key in double quotes, found " + scan_.found());
  }

  JsonScanner scan_;
};

}  // namespace

JsonValue parse_json(const SourcePtr& source) { return parse_json(source, 0); }

JsonValue parse_json(const SourcePtr& source, std::size_t offset) {
  return Parser(source, offset).document();
}

}  // namespace flotilla::config
