#include "sim/units/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <system_error>

namespace flotilla {
namespace {

struct Unit {
  std::string_view name;
  double scale;  // how many base units one of it is
};

constexpr std::array<Unit, 9> kTimes{{{"ns", 1e-9},
                                      {"us", 1e-6},
                                      {"\u00b5s", 1e-6},  // micro sign
                                      {"\u03bcs", 1e-6},  // Greek mu, the same to the eye
                                      {"ms", 1e-3},
                                      {"s", 1},
                                      {"min", 60},
                                      {"h", 3600},
                                      {"d", 86400}}};

constexpr std::array<Unit, 9> kDecimalPrefixes{{{"", 1},
                                                {"k", 1e3},
                                                {"M", 1e6},
                                                {"G", 1e9},
                                                {"T", 1e12},
                                                {"P", 1e15},
                                                {"E", 1e18},
                                                {"Z", 1e21},
                                                {"Y", 1e24}}};

constexpr std::array<Unit, 6> kBinaryPrefixes{{{"Ki", 0x1p10},
                                               {"Mi", 0x1p20},
                                               {"Gi", 0x1p30},
                                               {"Ti", 0x1p40},
                                               {"Pi", 0x1p50},
                                               {"Ei", 0x1p60}}};

std::optional<double> scale_of(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.scale;
  }
  return std::nullopt;
}

bool drop_suffix(std::string_view& text, std::initializer_list<std::string_view> suffixes) {
  for (const std::string_view suffix : suffixes) {
    if (text.ends_with(suffix)) {
      text.remove_suffix(suffix.size());
      return true;
    }
  }
  return false;
}

// A size in bytes ("GB", "GiB") or bits ("Gb", "Gib").
std::optional<double> data_scale(std::string_view unit) {
  if (unit.empty()) return std::nullopt;
  const char base = unit.back();
  if (base != 'B' && base != 'b') return std::nullopt;
  unit.remove_suffix(1);
  auto scale = scale_of(kDecimalPrefixes, unit);
  if (!scale) scale = scale_of(kBinaryPrefixes, unit);
  if (scale && base == 'b') *scale /= 8;
  return scale;
}

template <class Q>
struct Dimension;

template <>
struct Dimension<Seconds> {
  static constexpr std::string_view accepted = "ns, us, ms, s, min, h, d";
  static constexpr std::string_view example = "90 s";
  static std::optional<double> scale(std::string_view unit) { return scale_of(kTimes, unit); }
};

template <>
struct Dimension<Bytes> {
  static constexpr std::string_view accepted =
      "B, kB, MB, GB, TB, PB, KiB, MiB, GiB, TiB, PiB, and b, kb, Mb, Gb, Tb for bits";
  static constexpr std::string_view example = "80 GB";
  static std::optional<double> scale(std::string_view unit) { return data_scale(unit); }
};

template <>
struct Dimension<BytesPerSecond> {
  static constexpr std::string_view accepted =
      "B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, TiB/s, and b/s, kb/s, Mb/s, Gb/s, Tb/s "
      "for bits";
  static constexpr std::string_view example = "450 GB/s";
  static std::optional<double> scale(std::string_view unit) {
    if (!drop_suffix(unit, {"/s", "ps"})) return std::nullopt;
    return data_scale(unit);
  }
};

template <>
struct Dimension<Flops> {
  static constexpr std::string_view accepted =
      "FLOP, kFLOP, MFLOP, GFLOP, TFLOP, PFLOP, EFLOP, ZFLOP, YFLOP";
  static constexpr std::string_view example = "312 TFLOP";
  static std::optional<double> scale(std::string_view unit) {
    if (!drop_suffix(unit, {"FLOP", "FLOPs"})) return std::nullopt;
    return scale_of(kDecimalPrefixes, unit);
  }
};

template <>
struct Dimension<FlopsPerSecond> {
  static constexpr std::string_view accepted =
      "FLOP/s, kFLOP/s, MFLOP/s, GFLOP/s, TFLOP/s, PFLOP/s, EFLOP/s";
  static constexpr std::string_view example = "312 TFLOP/s";
  static std::optional<double> scale(std::string_view unit) {
    if (!drop_suffix(unit, {"FLOP/s", "FLOPs/s", "FLOPS", "FLOPs"})) return std::nullopt;
    return scale_of(kDecimalPrefixes, unit);
  }
};

// std::to_chars rather than streams: it never asks the locale.
std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer;  // the longest double has 309 digits before the point
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, decimals);
  return {buffer.data(), end.ptr};
}

std::string scientific(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific, 2);
  return {buffer.data(), end.ptr};
}

double parse_double(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The decimal exponent of the value once rounded: 9.996 counts as 10.0, so 1.
int rounded_exponent(const std::string& scientific_text) {
  const auto e = scientific_text.find('e');
  const bool plus = scientific_text[e + 1] == '+';
  int exponent = 0;
  std::from_chars(scientific_text.data() + e + (plus ? 2 : 1),
                  scientific_text.data() + scientific_text.size(), exponent);
  return exponent;
}

std::string group_digits(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, 1, ',');
  }
  return digits;
}

// A unit for printing is used from this many of it on.
struct PrintUnit {
  std::string_view name;
  double scale;
  double from = 1;
};

std::string in_fitting_unit(double value, std::span<const PrintUnit> units) {
  const PrintUnit* chosen = &units.front();
  if (value == 0) {
    for (const PrintUnit& unit : units) {
      if (unit.scale == 1) chosen = &unit;
    }
  }
  for (const PrintUnit& unit : units) {
    // Compared as printed: 999.9 ms is 1.00 s, not 1,000 ms.
    const double printed = std::abs(parse_double(scientific(value / unit.scale)));
    if (printed >= unit.from) chosen = &unit;
  }
  return three_digits(value / chosen->scale) + " " + std::string(chosen->name);
}

}  // namespace

template <class Q>
std::optional<Q> parse_quantity(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto scale = Dimension<Q>::scale(unit);
  if (!scale || !std::isfinite(number * *scale)) return std::nullopt;
  // 1.5 / 1e6 is the double nearest to 1.5 us where 1.5 * 1e-6 is not; most scales below 1 are
  // such powers of ten.
  return Q(*scale < 1 ? number / std::round(1 / *scale) : number * *scale);
}

template <class Q>
std::string_view accepted_units() {
  return Dimension<Q>::accepted;
}

template <class Q>
std::string_view example_value() {
  return Dimension<Q>::example;
}

template std::optional<Seconds> parse_quantity(std::string_view);
template std::optional<Bytes> parse_quantity(std::string_view);
template std::optional<Flops> parse_quantity(std::string_view);
template std::optional<BytesPerSecond> parse_quantity(std::string_view);
template std::optional<FlopsPerSecond> parse_quantity(std::string_view);

template std::string_view accepted_units<Seconds>();
template std::string_view accepted_units<Bytes>();
template std::string_view accepted_units<Flops>();
template std::string_view accepted_units<BytesPerSecond>();
template std::string_view accepted_units<FlopsPerSecond>();

template std::string_view example_value<Seconds>();
template std::string_view example_value<Bytes>();
template std::string_view example_value<Flops>();
template std::string_view example_value<BytesPerSecond>();
template std::string_view example_value<FlopsPerSecond>();

std::string to_text(Seconds value) {
  // Minutes, hours and days from two on: 90 s says more than 1.50 min.
  static constexpr std::array<PrintUnit, 7> units{{{"ns", 1e-9},
                                                   {"us", 1e-6},
                                                   {"ms", 1e-3},
                                                   {"s", 1},
                                                   {"min", 60, 2},
                                                   {"h", 3600, 2},
                                                   {"d", 86400, 2}}};
  return in_fitting_unit(value.value(), units);
}

std::string to_text(Bytes value) {
  static constexpr std::array<PrintUnit, 7> units{
      {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"PB", 1e15}, {"EB", 1e18}}};
  return in_fitting_unit(value.value(), units);
}

std::string to_text(Flops value) {
  static constexpr std::array<PrintUnit, 9> units{{{"FLOP", 1},
                                                   {"kFLOP", 1e3},
                                                   {"MFLOP", 1e6},
                                                   {"GFLOP", 1e9},
                                                   {"TFLOP", 1e12},
                                                   {"PFLOP", 1e15},
                                                   {"EFLOP", 1e18},
                                                   {"ZFLOP", 1e21},
                                                   {"YFLOP", 1e24}}};
  return in_fitting_unit(value.value(), units);
}

std::string to_text(BytesPerSecond value) {
  static constexpr std::array<PrintUnit, 6> units{
      {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {"PB/s", 1e15}}};
  return in_fitting_unit(value.value(), units);
}

std::string to_text(FlopsPerSecond value) {
  static constexpr std::array<PrintUnit, 8> units{{{"FLOP/s", 1},
                                                   {"kFLOP/s", 1e3},
                                                   {"MFLOP/s", 1e6},
                                                   {"GFLOP/s", 1e9},
                                                   {"TFLOP/s", 1e12},
                                                   {"PFLOP/s", 1e15},
                                                   {"EFLOP/s", 1e18},
                                                   {"ZFLOP/s", 1e21}}};
  return in_fitting_unit(value.value(), units);
}

std::string grouped(long long value) { return group_digits(std::to_string(value)); }

std::string three_digits(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return "0";
  const std::string rounded = scientific(value);
  const int exponent = rounded_exponent(rounded);
  // Beyond these a row of zeros or of commas is harder to read than the power of ten.
  if (exponent < -4 || exponent >= 15) return rounded;
  if (exponent >= 3) return group_digits(fixed(value, 0));
  return fixed(value, 2 - exponent);
}

}  // namespace flotilla
