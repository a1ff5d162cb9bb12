// A cursor on one JSON object: reads typed values, and collects what is wrong with them.
//
// Every read leaves its target alone when the key is absent or its value is unusable, so that the
// reading goes on and a person sees all the mistakes at once. finish() refuses the keys that
// nobody asked for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/config/json_document.h"
#include "sim/config/problem.h"
#include "sim/units/quantity.h"
#include "sim/units/text.h"

namespace flotilla::config {

struct Range {
  std::int64_t smallest = 1;
  std::int64_t largest = std::int64_t{1} << 53;
};

// The words of a choice and what each means.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

enum class Zero { refused, allowed };

// What a quantity may be, in its base unit, beside zero. Outside of these no machine is, and
// within them no product or quotient of a few values overflows or vanishes.
struct Limits {
  double smallest = 0;
  double largest = 1e21;
};
template <class Q>
constexpr Limits limits_of() {
  if constexpr (std::is_same_v<Q, Seconds>) return {0, 3600};
  if constexpr (std::is_same_v<Q, Bytes>) return {1, 1e21};
  return {1e3, 1e21};  // a rate
}

class Reader {
 public:
  // `path` is the JSON path of the object; empty for the root.
  Reader(const JsonValue& object, std::string path, ProblemList& problems)
      : object_(object), path_(std::move(path)), problems_(problems) {}

  [[nodiscard]] bool has(std::string_view key) const { return object_.find(key) != nullptr; }
  [[nodiscard]] const JsonValue& node() const { return object_; }
  [[nodiscard]] std::string path_of(std::string_view key) const;

  // One problem for all of these keys that are absent.
  void require(std::initializer_list<std::string_view> keys);

  // A whole number: 8, 8.0 and 1e3 are, 8.5 and "8" are not.
  void count(std::string_view key, std::int64_t& value, Range range = {});
  void counts(std::string_view key, std::vector<std::int64_t>& values, Range range = {});
  // Any finite number from smallest to largest.
  void number(std::string_view key, double& value, double smallest, double largest);
  // A share: at least 0.0001, with which nothing comes to a standstill, and at most 1.
  void share(std::string_view key, double& value);
  void flag(std::string_view key, bool& value);
  void text(std::string_view key, std::string& value);
  void texts(std::string_view key, std::vector<std::string>& values);
  // Where the values come from: a text, or a list of texts that are joined by spaces.
  void source(std::string& value);

  template <class E>
  void choice(std::string_view key, E& value, const Choices<E>& choices) {
    std::vector<std::string> names;
    for (const auto& [name, meaning] : choices) names.push_back(name);
    if (const auto index = pick(key, names)) value = choices[*index].second;
  }

  // "450 GB/s": a number with a unit, never negative.
  template <class Q>
  void quantity(std::string_view key, Q& value, Zero zero = Zero::refused,
                Limits limits = limits_of<Q>()) {
    const JsonValue* node = find(key);
    if (node == nullptr) return;
    const std::optional<Q> parsed =
        node->is_text() ? parse_quantity<Q>(node->text) : std::optional<Q>();
    if (!parsed) {
      not_a_quantity(key, *node, std::string(accepted_units<Q>()), std::string(example_value<Q>()));
    } else if (not_negative(key, parsed->value(), zero) && within(key, *node, *parsed, limits)) {
      value = *parsed;
    }
  }

  // The object of a key; nothing when it is absent, or no object (which is a problem).
  std::optional<Reader> object(std::string_view key);
  std::vector<Reader> objects(std::string_view key);

  // A key that is known and refused, with the reason.
  void refuse(std::string_view key, const std::string& message, const std::string& hint = {});
  // A problem with the value of a key, or with the object when the key is absent.
  void fault(std::string_view key, const std::string& message, const std::string& hint = {});
  // True when the value of a key, if it is there, was read well.
  [[nodiscard]] bool sound(std::string_view key) const { return problems_.sound(path_of(key)); }

  // Refuses the keys that were never asked for; one that a sibling knows is sent there.
  void finish(const std::vector<const Reader*>& siblings = {});

 private:
  const JsonValue* find(std::string_view key);
  std::optional<std::size_t> pick(std::string_view key, const std::vector<std::string>& names);
  std::optional<std::int64_t> whole(const JsonValue& node, const std::string& path, Range range);
  void not_a_quantity(std::string_view key, const JsonValue& node, const std::string& units,
                      const std::string& example);
  bool not_negative(std::string_view key, double value, Zero zero);
  template <class Q>
  bool within(std::string_view key, const JsonValue& node, Q value, Limits limits) {
    const bool small = value.value() != 0 && value.value() < limits.smallest;
    const bool large = value.value() > limits.largest;
    if (small) {
      fault(key, "too small: at least " + to_text(Q(limits.smallest)) + " makes sense here");
    } else if (large && std::is_same_v<Q, Seconds>) {
      fault(key, "too long: at most " + to_text(Q(limits.largest)) + " makes sense here");
    } else if (large) {
      fault(key, "larger than any machine has: " + describe(node));
    }
    return !small && !large;
  }

  const JsonValue& object_;
  std::string path_;
  ProblemList& problems_;
  std::vector<std::string> known_;  // every key that was asked for
};

// "a, b and c"; at most `most` of them, then "...".
std::string listed(const std::vector<std::string>& words, std::size_t most = 20);

}  // namespace flotilla::config
