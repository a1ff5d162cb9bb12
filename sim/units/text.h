// Quantities as people write and read them: "450 GB/s", "200 Gb/s", "90 s", "2 TiB".
//
// GB is 1e9 bytes, GiB is 2^30 bytes, Gb is 1e9 bits; times are ns, us, ms, s, min, h, d.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/units/quantity.h"

namespace flotilla {

// Parses a whole string "<number> <unit>" (the space is optional). nullopt when the text is not a
// finite number followed by a unit of that dimension; a bare number is never accepted.
template <class Q>
std::optional<Q> parse_quantity(std::string_view text);

// The units accepted for a dimension, for messages: "ns, us, ms, s, min, h, d".
template <class Q>
std::string_view accepted_units();

// An example of a well-formed value, for messages: "90 s".
template <class Q>
std::string_view example_value();

// Three significant digits in the unit that fits: "5.12 s", "61.8 GB", "371 GB/s", "401 TFLOP/s".
std::string to_text(Seconds value);
std::string to_text(Bytes value);
std::string to_text(Flops value);
std::string to_text(BytesPerSecond value);
std::string to_text(FlopsPerSecond value);

// 16384 -> "16,384".
std::string grouped(long long value);
// Three significant digits, thousands grouped, no unit: 0.123, 12.3, 1,234.
std::string three_digits(double value);

}  // namespace flotilla
