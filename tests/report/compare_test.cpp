#include "sim/report/compare.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/report/settings.h"
#include "tests/catch.h"
#include "tests/report/samples.h"

namespace flotilla::report {
namespace {

using test::contains;

std::vector<std::string> keys(const std::vector<const Part*>& parts) {
  std::vector<std::string> found;
  for (const Part* part : parts) found.emplace_back(part->key);
  return found;
}

TEST_CASE("same GPUs and batch: the part that grew most explains a longer step") {
  const Summary base = test::large_run();
  Summary slower = base;
  slower.breakdown.bubble += Seconds(1.0);
  slower.breakdown.tp_exposed += Seconds(0.1);
  slower.breakdown.compute -= Seconds(0.2);
  slower.step = slower.breakdown.total();
  slower.tokens_per_s = base.tokens_per_s * (base.step / slower.step);
  CHECK(keys(explaining_parts(base, slower)) == std::vector<std::string>{"bubble"});
  // The other way round the same part explains why it is faster.
  CHECK(keys(explaining_parts(slower, base)) == std::vector<std::string>{"bubble"});
  CHECK(explaining_parts(base, base).empty());
}

TEST_CASE("more GPUs: what keeps two cards from being twice as fast is the talking between them") {
  // Computing halves with two cards and costs the same GPU time; 0.74 s of talking is what is new.
  CHECK(keys(explaining_parts(test::one_card(), test::two_cards())) ==
        std::vector<std::string>{"tp_exposed"});
}

TEST_CASE("a comparison marks the row that explains and says it in words") {
  const std::vector<Summary> both = {test::one_card(), test::two_cards()};
  const std::string page = compare_page(both, test::plain());
  int marked = 0;
  for (const std::string& line : test::lines_of(page)) {
    if (line.find("<- why") == std::string::npos) continue;
    ++marked;
    CHECK_THAT(line, contains("tensor chatter"));
  }
  CHECK(marked == 1);
  CHECK_THAT(page, contains("x0.89"));  // 1.71 s / 1.92 s
  CHECK_THAT(page, contains("no, 3.10 GiB over"));
  CHECK_THAT(page, contains("B makes 1.12 x the tokens/s of A (0.56 x a GPU)"));
}

TEST_CASE("a comparison fits its width however many scenarios it has, and repeats the first") {
  std::vector<Summary> many = {test::one_card()};
  for (int i = 0; i < 9; ++i) many.push_back(test::large_run());
  for (const int width : {100, 60, 40}) {
    const std::string page = compare_page(many, test::plain(width));
    int blocks = 0;
    for (const std::string& line : test::lines_of(page)) {
      CAPTURE(line);
      CHECK(display_width(line) <= width);
      blocks += line.find("A: ") != std::string::npos;
    }
    CHECK(blocks > 1);
    CHECK(test::is_ascii(page));
  }
}

TEST_CASE("only settings that differ are listed") {
  const std::vector<config::Scenario> cards = {test::one_card().scenario,
                                               test::two_cards().scenario};
  std::vector<std::string> paths;
  for (const Difference& d : differences(cards)) paths.push_back(d.path);
  CHECK(paths == std::vector<std::string>{"layout.gpus", "layout.tp"});
}

TEST_CASE("platforms of one name that differ in a figure are told apart") {
  std::vector<config::Scenario> two(2, test::two_cards().scenario);
  two[0].platform.node.link.bandwidth = BytesPerSecond(32e9);
  two[1].platform.node.link.bandwidth = BytesPerSecond(450e9);
  const auto found = differences(two);
  REQUIRE(found.size() == 1);
  CHECK(found[0].path == "platform.node.link.bandwidth");
  CHECK(found[0].values == std::vector<std::string>{"32.0 GB/s", "450 GB/s"});
}

TEST_CASE("the JSON of a comparison holds each scenario and the differences") {
  const std::vector<Summary> both = {test::one_card(), test::two_cards()};
  const nlohmann::ordered_json document = compare_json(both);
  REQUIRE(document["rows"].size() == 2);
  CHECK(document["rows"][1]["scenario"] == "two-cards");
  CHECK(document["rows"][1]["relative"]["why"][0] == "tp_exposed");
  CHECK(document["rows"][1]["relative"]["step"].get<double>() == Approx(1.71 / 1.92));
  CHECK(document["differences"][0]["setting"] == "layout.gpus");
}

TEST_CASE("one scenario alone is a comparison of one column") {
  const std::vector<Summary> one = {test::large_run()};
  CHECK_THAT(compare_page(one, test::plain()), contains("A: llama3-405b"));
}

TEST_CASE("names of two scenarios take the room that is there") {
  std::vector<Summary> both = {test::one_card(), test::two_cards()};
  both[0].scenario.name = "one-card-that-has-a-long-name";
  both[1].scenario.name = "two-cards-that-have-a-long-name";
  const std::string page = compare_page(both, test::plain());
  CHECK_THAT(page, contains("A: one-card-that-has-a-long-name "));
  CHECK_THAT(page, contains("B: two-cards-that-have-a-long-name"));
}

}  // namespace
}  // namespace flotilla::report
