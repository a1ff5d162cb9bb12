#include "sim/config/json_document.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla;
using namespace flotilla::config;
using flotilla::test::contains;

namespace {

SourcePtr source(const std::string& text) {
  auto made = std::make_shared<SourceText>();
  made->name = "mine.json";
  made->text = text;
  return made;
}

JsonValue parse(const std::string& text) { return parse_json(source(text)); }

std::string complaint(const std::string& text) {
  try {
    parse(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

bool accepted(const std::string& text) { return complaint(text) == "accepted"; }

}  // namespace

TEST_CASE("a JSON value knows its line, column and length") {
  const JsonValue root = parse("{\n  // a comment\n  \"a\": { \"b\": [1, \"x y\"] }\n}");
  const JsonValue* item = root.at("a.b.1");
  REQUIRE(item != nullptr);
  CHECK(item->text == "x y");
  CHECK(item->place.line == 3);
  CHECK(item->place.column == 19);
  CHECK(item->place.length == 5);
  CHECK(root.members[0].key_place.column == 3);
  CHECK(root.at("a.b.2") == nullptr);
  CHECK(root.at("a.c") == nullptr);
}

TEST_CASE("columns count characters, not bytes") {
  const JsonValue root = parse("{ \"\xC3\xA9\xE2\x82\xAC\": 7 }");
  CHECK(root.members[0].value.place.column == 9);
}

TEST_CASE("malformed JSON is refused with line, column and plain words") {
  struct Case {
    std::string text, place, words;
  };
  const std::vector<Case> cases = {
      {"", "1:1", "the file is empty"},
      {"{\n  \"a\": 1,\n}", "2:9", "remove this comma"},
      {"{\n  \"a\": 1\n  \"b\": 2\n}", "2:9", "a comma is missing here, before a text in line 3"},
      {"{\"a\" 1}", "1:5", "a colon is missing after the key \"a\""},
      {"{a: 1}", "1:2", "keys are written in double quotes"},
      {"{'a': 1}", "1:2", "keys are written in double quotes"},
      {"{\"a\": 'x'}", "1:7", "texts are written in double quotes"},
      {"{\"a\": [1, 2}", "1:12", "does not close the list that opens in line 1"},
      {"{\n\"a\": {\n", "2:6", "this object is never closed"},
      {"[1", "1:1", "this list is never closed"},
      {"{\"a\": \"x\n\"}", "1:7", "this text is not closed in its line"},
      {"{\"a\": }", "1:7", "a value is missing"},
      {"{\"a\": 1} x", "1:10", "the file goes on after its end"},
      {"{\"a\": True}", "1:7", "written in lower case: true"},
      {"{\"a\": 80 GB}", "1:7", "a value with a unit is written in quotes"},
      {"{\"a\": 8GB}", "1:7", "a value with a unit is written in quotes"},
      {"{\"a\": 01}", "1:7", "not a number as JSON writes it"},
      {"{\"a\": .5}", "1:7", "not a number as JSON writes it"},
      {"{\"a\": \"\\q\"}", "1:8", "an unknown escape"},
      {"{\"a\": \"\\ud800\"}", "1:8", "malformed \\u escape"},
      {"{\"a\": \"\xFF\"}", "1:8", "not valid UTF-8"},
      {"{\"a\": \"\xED\xA0\x80\"}", "1:8", "not valid UTF-8"},
      {"/* {}", "1:1", "this comment never ends"},
      {"\xFF\xFE{", "1:1", "UTF-16"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string text = complaint(c.text);
    CHECK_THAT(text, contains("mine.json:" + c.place));
    CHECK_THAT(text, contains(c.words));
  }
}

TEST_CASE("numbers that are no finite numbers are refused") {
  for (const std::string text : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-NaN"}) {
    CAPTURE(text);
    CHECK_THAT(complaint("{\"a\": " + text + "}"), contains("is not a number that can be used"));
  }
  CHECK_THAT(complaint("{\"a\": 1e999}"), contains("out of the range of numbers"));
}

TEST_CASE("a key given twice is refused, and the first one named") {
  const std::string text = complaint("{\n\"tp\": 1,\n\"pp\": 1,\n\"tp\": 2\n}");
  CHECK_THAT(text, contains("mine.json:4:1"));
  CHECK_THAT(text, contains("\"tp\" is given twice; the first is in line 2"));
}

TEST_CASE("endless nesting is refused, at any length") {
  CHECK(accepted(std::string(64, '[') + std::string(64, ']')));
  CHECK_THAT(complaint(std::string(65, '[') + std::string(65, ']')), contains("nesting deeper"));
  CHECK_THAT(complaint(std::string(1'000'000, '[')), contains("nesting deeper than 64 levels"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  CHECK_THAT(complaint(objects), contains("nesting deeper than 64 levels"));
}

TEST_CASE("a UTF-8 byte-order mark is no part of the text") {
  const JsonValue root = parse("\xEF\xBB\xBF{\"a\": 1}");
  CHECK(root.find("a")->place.column == 7);
  CHECK_THAT(complaint("\xEF\xBB\xBF{]"), contains("  1 | {]\n    |  ^"));
}

TEST_CASE("escapes mean what JSON says they mean") {
  const JsonValue root = parse(R"({"a": "\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00"})");
  CHECK(root.find("a")->text == "\"\\/\b\f\n\r\t\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}

// The reference is nlohmann's parser. It differs on purpose in duplicate keys and in numbers
// that are too small for a double: both are accepted there.
TEST_CASE("the same texts are accepted as by another JSON parser, whatever is damaged in them") {
  const std::vector<std::string> seeds = {
      R"({"a": [1, -2.5e3, 0, 1E+2], "b": {"c": "x\u00e9\n", "d": null}, "e": true} // end)",
      R"(["é€😀", "\\\"", false, {}, [], [[]], /* c */ 1e-7, 123456789012])",
  };
  const std::string alphabet = "{}[]\",:\\/*.-+eE019u atrufnl\n\t\x80\xC3\xE2\x01";
  std::mt19937 random(1);
  int both = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string text = seeds[random() % seeds.size()];
    for (auto edits = random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        default:
          text.erase(at, 1 + random() % 3);
      }
      if (text.empty()) text = " ";
    }
    const std::string said = complaint(text);
    if (said.find("is given twice") != std::string::npos) continue;
    if (said.find("out of the range") != std::string::npos) continue;
    CAPTURE(text, said);
    REQUIRE((said == "accepted") == nlohmann::json::accept(text, /*ignore_comments=*/true));
    if (said == "accepted") ++both;
  }
  CHECK(both > 500);
}
