#include "sim/config/reader.h"

#include <algorithm>
#include <cmath>

namespace flotilla::config {

namespace {

std::string number_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) {
    return std::to_string(static_cast<long long>(value));
  }
  return three_digits(value);
}

std::string in_quotes(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("\"" + name + "\"");
  return listed(quoted);
}

// What a text with a unit is, when it is a quantity at all.
std::string dimension_of(const std::string& text) {
  if (parse_quantity<Seconds>(text)) return "a time";
  if (parse_quantity<Bytes>(text)) return "a size";
  if (parse_quantity<BytesPerSecond>(text)) return "a bandwidth";
  if (parse_quantity<FlopsPerSecond>(text)) return "a computing rate";
  if (parse_quantity<Flops>(text)) return "an amount of computation";
  return {};
}

bool is_bare_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.+-eE ") == std::string_view::npos;
}

}  // namespace

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == most) return text + ", ...";
    text += (i == 0 ? "" : ", ") + words[i];
  }
  return text;
}

std::string Reader::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

const JsonValue* Reader::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return object_.find(key);
}

void Reader::fault(std::string_view key, const std::string& message, const std::string& hint) {
  const JsonValue* node = object_.find(key);
  problems_.add(node != nullptr ? node->place : object_.place, path_of(key), message, hint);
}

void Reader::refuse(std::string_view key, const std::string& message, const std::string& hint) {
  if (find(key) != nullptr) fault(key, message, hint);
}

void Reader::require(std::initializer_list<std::string_view> keys) {
  std::vector<std::string> missing;
  for (const std::string_view key : keys) {
    if (!has(key)) missing.push_back("\"" + std::string(key) + "\"");
  }
  if (missing.empty()) return;
  Place place = object_.place;
  place.length = 1;  // the opening brace
  problems_.add(make_problem(place, path_, "missing here: " + listed(missing)));
  for (const std::string_view key : keys) {
    if (!has(key)) problems_.mark(path_of(key));
  }
}

std::optional<std::int64_t> Reader::whole(const JsonValue& node, const std::string& path,
                                          Range range) {
  if (node.kind != JsonValue::Kind::number) {
    const bool quoted = node.is_text() && is_bare_number(node.text);
    problems_.add(node.place, path, "expected a whole number, found " + describe(node),
                  quoted ? "write it without the quotes: " + node.text : "");
    return std::nullopt;
  }
  if (node.number != std::floor(node.number)) {
    problems_.add(node.place, path, "expected a whole number, found " + node.text);
    return std::nullopt;
  }
  if (node.number < static_cast<double>(range.smallest)) {
    problems_.add(node.place, path, "must be at least " + std::to_string(range.smallest));
    return std::nullopt;
  }
  if (node.number > static_cast<double>(range.largest)) {
    problems_.add(node.place, path,
                  "too large: at most " + std::to_string(range.largest) + " makes sense here");
    return std::nullopt;
  }
  return static_cast<std::int64_t>(node.number);
}

void Reader::count(std::string_view key, std::int64_t& value, Range range) {
  const JsonValue* node = find(key);
  if (node == nullptr) return;
  if (const auto read = whole(*node, path_of(key), range)) value = *read;
}

void Reader::counts(std::string_view key, std::vector<std::int64_t>& values, Range range) {
  const JsonValue* node = find(key);
  if (node == nullptr) return;
  if (node->kind != JsonValue::Kind::list) {
    fault(key, "expected a list of whole numbers, found " + describe(*node));
    return;
  }
  values.clear();
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string path = path_of(key) + "." + std::to_string(i);
    if (const auto read = whole(node->items[i], path, range)) values.push_back(*read);
  }
}

void Reader::number(std::string_view key, double& value, double smallest, double largest) {
  const JsonValue* node = find(key);
  if (node == nullptr) return;
  const std::string range = number_text(smallest) + " to " + number_text(largest);
  if (node->kind != JsonValue::Kind::number) {
    fault(key, "expected a number from " + range + ", found " + describe(*node));
  } else if (node->number < smallest || node->number > largest) {
    fault(key, "out of range: expected " + range);
  } else {
    value = node->number;
  }
}

void Reader::share(std::string_view key, double& value) {
  constexpr double smallest = 1e-4;
  const JsonValue* node = find(key);
  if (node == nullptr) return;
  if (node->kind != JsonValue::Kind::number) {
    fault(key, "expected a share from 0.0001 to 1, found " + describe(*node));
  } else if (!(node->number >= smallest && node->number <= 1)) {
    fault(key, "out of range: a share is from 0.0001 to 1");
  } else {
    value = node->number;
  }
}

void Reader::flag(std::string_view key, bool& value) {
  const JsonValue* node = find(key);
  if (node == nullptr) return;
  if (node->kind != JsonValue::Kind::boolean) {
    fault(key, "expected true or false, found " + describe(*node));
  } else {
    value = node->boolean;
  }
}

void Reader::text(std::string_view key, std::string& value) {
  const JsonValue* node = find(key);
  if (node == nullptr) return;
  if (!node->is_text()) {
    fault(key, "expected a text in double quotes, found " + describe(*node));
  } else {
    value = node->text;
  }
}

void Reader::texts(std::string_view key, std::vector<std::string>& values) {
  const JsonValue* node = find(key);
  if (node == nullptr) return;
  const bool list = node->kind == JsonValue::Kind::list;
  if (!list || !std::all_of(node->items.begin(), node->items.end(),
                            [](const JsonValue& item) { return item.is_text(); })) {
    fault(key, "expected a list of texts" + (list ? std::string() : ", found " + describe(*node)));
    return;
  }
  values.clear();
  for (const JsonValue& item : node->items) values.push_back(item.text);
}

void Reader::source(std::string& value) {
  const JsonValue* node = find("source");
  if (node == nullptr) return;
  const bool texts = node->kind == JsonValue::Kind::list &&
                     std::all_of(node->items.begin(), node->items.end(),
                                 [](const JsonValue& item) { return item.is_text(); });
  if (node->is_text()) {
    value = node->text;
  } else if (texts) {
    value.clear();
    for (const JsonValue& item : node->items) value += (value.empty() ? "" : " ") + item.text;
  } else {
    fault("source", "expected a text or a list of texts, found " + describe(*node));
  }
}

std::optional<std::size_t> Reader::pick(std::string_view key,
                                        const std::vector<std::string>& names) {
  const JsonValue* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_text()) {
    fault(key, "expected one of " + in_quotes(names) + ", found " + describe(*node));
    return std::nullopt;
  }
  const auto found = std::find(names.begin(), names.end(), node->text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string near = nearest(node->text, names);
  fault(key, "unknown choice; expected one of " + in_quotes(names),
        near.empty() ? "" : "did you mean \"" + near + "\"?");
  return std::nullopt;
}

void Reader::not_a_quantity(std::string_view key, const JsonValue& node, const std::string& units,
                            const std::string& example) {
  const std::string wanted = dimension_of(example);
  const std::string hint = "like \"" + example + "\"; units: " + units;
  const bool number = node.kind == JsonValue::Kind::number;
  if (number || (node.is_text() && is_bare_number(node.text))) {
    fault(key, "missing unit: expected " + wanted, hint);
  } else if (!node.is_text()) {
    fault(key, "expected " + wanted + ", found " + describe(node), hint);
  } else if (const std::string is = dimension_of(node.text); !is.empty()) {
    fault(key, "this is " + is + ", expected " + wanted, hint);
  } else {
    fault(key, "expected " + wanted + ": a finite number and a unit", hint);
  }
}

bool Reader::not_negative(std::string_view key, double value, Zero zero) {
  const bool good = zero == Zero::allowed ? value >= 0 : value > 0;
  if (!good) fault(key, zero == Zero::allowed ? "must not be negative" : "must be more than zero");
  return good;
}

std::optional<Reader> Reader::object(std::string_view key) {
  const JsonValue* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_object()) return Reader(*node, path_of(key), problems_);
  // A reference that could not be followed has its problem already.
  if (sound(key)) fault(key, "expected an object { ... }, found " + describe(*node));
  return std::nullopt;
}

std::vector<Reader> Reader::objects(std::string_view key) {
  const JsonValue* node = find(key);
  std::vector<Reader> readers;
  if (node == nullptr) return readers;
  if (node->kind != JsonValue::Kind::list) {
    fault(key, "expected a list [ ... ], found " + describe(*node));
    return readers;
  }
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const JsonValue& item = node->items[i];
    const std::string path = path_of(key) + "." + std::to_string(i);
    if (item.is_object()) {
      readers.emplace_back(item, path, problems_);
    } else {
      problems_.add(item.place, path, "expected an object { ... }, found " + describe(item));
    }
  }
  return readers;
}

void Reader::finish(const std::vector<const Reader*>& siblings) {
  const auto knows = [](const Reader& reader, const std::string& key) {
    return std::find(reader.known_.begin(), reader.known_.end(), key) != reader.known_.end();
  };
  bool first = true;
  for (const JsonMember& member : object_.members) {
    if (knows(*this, member.key)) continue;
    const auto owner = std::find_if(siblings.begin(), siblings.end(),
                                    [&](const Reader* r) { return knows(*r, member.key); });
    const std::string near = nearest(member.key, known_);
    std::string message = "unknown key";
    if (owner != siblings.end()) {
      message += " here; it belongs to \"" + (*owner)->path_ + "\"";
    } else if (!near.empty()) {
      message += "; did you mean \"" + near + "\"?";
    }
    // Once per object is enough.
    const std::string hint = first ? "known here: " + listed(known_, 40) : "";
    problems_.add(member.key_place, path_of(member.key), message, hint);
    first = false;
  }
}

}  // namespace flotilla::config
