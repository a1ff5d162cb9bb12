#include "sim/report/style.h"

#include "tests/catch.h"
#include "tests/report/samples.h"

namespace flotilla::report {
namespace {

Surroundings terminal() {
  return {.terminal = true, .terminal_width = 80, .term = "xterm", .locale = "en_GB.UTF-8"};
}

TEST_CASE("a UTF-8 terminal gets colour and box characters, at its own width") {
  const Style style = style_for(terminal());
  CHECK(style.colour);
  CHECK(style.unicode);
  CHECK(style.width == 80);
}

TEST_CASE("NO_COLOR, a dumb terminal, a pipe and a non-UTF-8 locale each get plain ASCII") {
  Surroundings s = terminal();
  SECTION("NO_COLOR") { s.no_color = "1"; }
  SECTION("TERM=dumb") { s.term = "dumb"; }
  SECTION("TERM unset") { s.term = nullptr; }
  SECTION("pipe") { s.terminal = false; }
  SECTION("locale C") { s.locale = "C"; }
  SECTION("no locale") { s.locale = nullptr; }
  CHECK_FALSE(style_for(s).colour);
  CHECK_FALSE(style_for(s).unicode);
}

TEST_CASE("an empty NO_COLOR counts as unset, as no-color.org has it") {
  Surroundings s = terminal();
  s.no_color = "";
  CHECK(style_for(s).colour);
}

TEST_CASE("pages are never wider than 100 columns, COLUMNS comes before the terminal") {
  Surroundings s = terminal();
  s.terminal_width = 240;
  CHECK(style_for(s).width == 100);
  s.columns = "60";
  CHECK(style_for(s).width == 60);
  s.columns = "many";
  CHECK(style_for(s).width == 100);
  CHECK(style_for({}).width == 100);
}

TEST_CASE("the width of text is counted in columns, not in bytes") {
  CHECK(display_width("stage") == 5);
  CHECK(display_width("\u00d7\u00b7\u2588") == 3);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("\u6a21\u578b") == 4);
  CHECK(display_width("\x1b[1;31mno\x1b[0m") == 2);
  CHECK(display_width("\xff\xc3") == 2);  // malformed bytes still take room
}

TEST_CASE("shortened text fits and never splits a character") {
  const Style plain = test::plain();
  CHECK(shortened("interleaved", 8, plain) == "interl..");
  CHECK(shortened("short", 8, plain) == "short");
  CHECK(shortened("\u6a21\u578b\u6a21\u578b", 5, plain) == "\u6a21..");
}

TEST_CASE("wrapped text keeps every word, in lines that fit") {
  const auto lines = wrapped("one two three four", 9, test::plain());
  CHECK(lines == std::vector<std::string>{"one two", "three", "four"});
}

TEST_CASE("control characters in names do not reach the terminal") {
  CHECK(printable("a\x1b[2Jb\n") == "a?[2Jb?");
  CHECK(printable("a\u202Eb\u2069\u00e9\u2026") == "a?b?\u00e9\u2026");
}

}  // namespace
}  // namespace flotilla::report
