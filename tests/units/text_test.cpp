#include "sim/units/text.h"

#include <clocale>
#include <limits>
#include <string>

#include "tests/catch.h"

namespace flotilla {
namespace {

template <class Q>
double parsed(std::string_view text) {
  INFO(text);
  const auto value = parse_quantity<Q>(text);
  REQUIRE(value.has_value());
  return value->value();
}

TEST_CASE("GB is decimal, GiB is binary and Gb is bits", "[units]") {
  CHECK(parsed<Bytes>("80 GB") == 80e9);
  CHECK(parsed<Bytes>("2 TiB") == 2 * 1099511627776.0);
  CHECK(parsed<Bytes>("1 KiB") == 1024);
  CHECK(parsed<Bytes>("8 Gb") == 1e9);
  CHECK(parsed<BytesPerSecond>("450 GB/s") == 450e9);
  CHECK(parsed<BytesPerSecond>("200 Gb/s") == 25e9);
  CHECK(parsed<BytesPerSecond>("200Gbps") == 25e9);
  CHECK(parsed<BytesPerSecond>("3.35 TB/s") == 3.35e12);
}

TEST_CASE("a duration may be written in any unit from ns to d", "[units]") {
  CHECK(parsed<Seconds>("90 s") == 90);
  CHECK(parsed<Seconds>("1.5us") == 1.5e-6);
  CHECK(parsed<Seconds>("1.5 \u00b5s") == 1.5e-6);
  CHECK(parsed<Seconds>("7 ns") == 7e-9);
  CHECK(parsed<Seconds>("3 ms") == 3e-3);
  CHECK(parsed<Seconds>("2 min") == 120);
  CHECK(parsed<Seconds>("2h") == 7200);
  CHECK(parsed<Seconds>("54 d") == 54 * 86400.0);
}

TEST_CASE("a FLOP rate may be written as FLOP/s, FLOPS or FLOPs", "[units]") {
  CHECK(parsed<FlopsPerSecond>("312 TFLOP/s") == 312e12);
  CHECK(parsed<FlopsPerSecond>("312 TFLOPS") == 312e12);
  CHECK(parsed<FlopsPerSecond>("312TFLOPs") == 312e12);
  CHECK(parsed<FlopsPerSecond>("1.98 PFLOPs/s") == 1.98e15);
  CHECK(parsed<Flops>("6 GFLOP") == 6e9);
  CHECK(parsed<Flops>("3.8e25 FLOP") == 3.8e25);
  CHECK_FALSE(parse_quantity<Flops>("6 GFLOPS"));
}

TEST_CASE("an exponent is not mistaken for the exa prefix", "[units]") {
  CHECK(parsed<Bytes>("1EB") == 1e18);
  CHECK(parsed<Bytes>("1E3B") == 1000);
  CHECK(parsed<Bytes>("1e3 B") == 1000);
  CHECK(parsed<FlopsPerSecond>("2EFLOP/s") == 2e18);
}

TEST_CASE("a negative value is parsed as such, for the reader to judge", "[units]") {
  CHECK(parsed<Seconds>("-3 s") == -3);
}

TEST_CASE("text that is not one finite number and one unit is refused", "[units]") {
  for (const char* text :
       {"",        " ",      "s",     "90",    "90 ",   " 90 s",  "90  s",  "90 s ",   "90 sec",
        "90 S",    "90 s s", "90 s!", "nan s", "inf s", "-inf s", "nan",    "1e999 s", "1,5 s",
        "1_000 s", "0x10 s", "+5 s",  "--5 s", "1 GB",  "1 GB/s", "1..5 s", "90 \ts"}) {
    INFO('"' << text << '"');
    CHECK_FALSE(parse_quantity<Seconds>(text));
  }
  for (const char* text :
       {"80", "80 gb", "80 KB", "80 G", "80 GB/s", "80 iB", "1e308 YB", "80 s"}) {
    INFO('"' << text << '"');
    CHECK_FALSE(parse_quantity<Bytes>(text));
  }
  for (const char* text : {"450", "450 GB", "450 GB/h", "450 G/s", "450 /s", "450 s", "450 ps"}) {
    INFO('"' << text << '"');
    CHECK_FALSE(parse_quantity<BytesPerSecond>(text));
  }
  for (const char* text : {"312", "312 T", "312 TFLOP", "312 TFlops", "312 TiFLOP/s"}) {
    INFO('"' << text << '"');
    CHECK_FALSE(parse_quantity<FlopsPerSecond>(text));
  }
  CHECK_FALSE(parse_quantity<Seconds>(std::string_view("1 s\0", 4)));
  CHECK_FALSE(parse_quantity<Seconds>(std::string_view()));
}

TEST_CASE("the example shown in messages is itself accepted", "[units]") {
  CHECK(parse_quantity<Seconds>(example_value<Seconds>()));
  CHECK(parse_quantity<Bytes>(example_value<Bytes>()));
  CHECK(parse_quantity<Flops>(example_value<Flops>()));
  CHECK(parse_quantity<BytesPerSecond>(example_value<BytesPerSecond>()));
  CHECK(parse_quantity<FlopsPerSecond>(example_value<FlopsPerSecond>()));
  CHECK(accepted_units<Seconds>() == "ns, us, ms, s, min, h, d");
}

TEST_CASE("a quantity prints with three significant digits in the unit that fits", "[units]") {
  CHECK(to_text(Seconds(5.123)) == "5.12 s");
  CHECK(to_text(Seconds(0.0123)) == "12.3 ms");
  CHECK(to_text(Seconds(1.5e-6)) == "1.50 us");
  CHECK(to_text(Seconds(2e-10)) == "0.200 ns");
  CHECK(to_text(Bytes(61.84e9)) == "61.8 GB");
  CHECK(to_text(Bytes(512)) == "512 B");
  CHECK(to_text(BytesPerSecond(371e9)) == "371 GB/s");
  CHECK(to_text(FlopsPerSecond(401e12)) == "401 TFLOP/s");
  CHECK(to_text(Flops(3.8e25)) == "38.0 YFLOP");
}

TEST_CASE("minutes, hours and days print from two of them on", "[units]") {
  CHECK(to_text(Seconds(90)) == "90.0 s");
  CHECK(to_text(Seconds(120)) == "2.00 min");
  CHECK(to_text(Seconds(5400)) == "90.0 min");
  CHECK(to_text(Seconds(7200)) == "2.00 h");
  CHECK(to_text(Seconds(86400)) == "24.0 h");
  CHECK(to_text(Seconds(54 * 86400.0)) == "54.0 d");
  CHECK(to_text(Seconds(12345 * 86400.0)) == "12,345 d");
}

TEST_CASE("a value that rounds up to the next unit prints in the next unit", "[units]") {
  CHECK(to_text(Seconds(0.9996)) == "1.00 s");
  CHECK(to_text(Seconds(119.99)) == "2.00 min");
  CHECK(to_text(Bytes(999.7e9)) == "1.00 TB");
  CHECK(to_text(Bytes(999.4e9)) == "999 GB");
}

TEST_CASE("zero and negative quantities print with a sensible unit", "[units]") {
  CHECK(to_text(Seconds(0)) == "0 s");
  CHECK(to_text(Bytes(0)) == "0 B");
  CHECK(to_text(FlopsPerSecond(0)) == "0 FLOP/s");
  CHECK(to_text(Seconds(-0.0123)) == "-12.3 ms");
  CHECK(to_text(Bytes(-61.84e9)) == "-61.8 GB");
}

TEST_CASE("what was printed parses back to the same three digits", "[units]") {
  for (double value = 1.237e-9; value < 1e7; value *= 3.7) {
    const std::string text = to_text(Seconds(value));
    INFO(text);
    CHECK(parsed<Seconds>(text) == Approx(value).epsilon(0.005));
    CHECK(to_text(*parse_quantity<Seconds>(text)) == text);
  }
}

TEST_CASE("whole numbers are grouped by thousands", "[units]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(16384) == "16,384");
  CHECK(grouped(-16384) == "-16,384");
  CHECK(grouped(-999) == "-999");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(std::numeric_limits<long long>::min()) == "-9,223,372,036,854,775,808");
}

TEST_CASE("three digits keep every digit before the point", "[units]") {
  CHECK(three_digits(0.1234) == "0.123");
  CHECK(three_digits(12.34) == "12.3");
  CHECK(three_digits(1234.4) == "1,234");
  CHECK(three_digits(9.996) == "10.0");
  CHECK(three_digits(999.6) == "1,000");
  CHECK(three_digits(0) == "0");
  CHECK(three_digits(-0.5) == "-0.500");
  CHECK(three_digits(0.000123) == "0.000123");
  CHECK(three_digits(1.234e-7) == "1.23e-07");
  CHECK(three_digits(1.234e20) == "1.23e+20");
  CHECK(three_digits(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(three_digits(std::numeric_limits<double>::quiet_NaN()) == "nan");
}

TEST_CASE("the locale of the machine changes neither reading nor printing", "[units]") {
  // Where no such locale is installed this changes nothing and proves nothing, but does no harm.
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  CHECK(parsed<Seconds>("1.5 s") == 1.5);
  CHECK(to_text(Seconds(5.12)) == "5.12 s");
  CHECK(grouped(1000) == "1,000");
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace flotilla
