#include "sim/report/text.h"

#include <sstream>

#include "sim/report/words.h"
#include "tests/catch.h"
#include "tests/report/samples.h"

namespace flotilla::report {
namespace {

using test::contains;

// The line of a page that holds a word.
std::string line_with(const std::string& page, const std::string& word) {
  for (const std::string& line : test::lines_of(page)) {
    if (line.find(word) != std::string::npos) return line;
  }
  return "";
}

TEST_CASE("a run page fits its width, whatever the style") {
  for (const int width : {100, 80, 60, 40}) {
    for (const Style& style : {test::plain(width), test::fancy(width)}) {
      for (const Summary& summary : {test::large_run(), test::one_card(), test::two_cards()}) {
        const std::string text = run_page(summary, style) + run_hints(summary, style);
        for (const std::string& line : test::lines_of(text)) {
          CAPTURE(line);
          CHECK(display_width(line) <= width);
        }
      }
    }
  }
}

TEST_CASE("a plain page is ASCII, a coloured one resets every colour") {
  CHECK(test::is_ascii(run_page(test::large_run(), test::plain())));
  const std::string page = run_page(test::large_run(), test::fancy());
  CHECK_THAT(page, contains("\x1b["));
  for (const std::string& line : test::lines_of(page)) {
    const auto last = line.rfind("\x1b[");
    if (last != std::string::npos) CHECK(line.substr(last, 4) == "\x1b[0m");
  }
}

TEST_CASE("the verdict comes before every other number") {
  const std::string page = run_page(test::large_run(), test::plain());
  CHECK(page.find("Fits") < page.find("Step "));
  CHECK_THAT(line_with(page, "Fits"), contains("59.4 of 79.1 GiB at stage 0"));
}

TEST_CASE("a layout that does not fit says so, by how much, and what to try") {
  Summary summary = test::one_card();
  const std::string page = run_page(summary, test::plain());
  CHECK_THAT(line_with(page, "Does not fit"), contains("3.10 GiB over"));
  CHECK_THAT(run_hints(summary, test::plain()), contains("more GPUs are needed"));
  summary.advice = {"layout.recompute=full"};
  CHECK_THAT(run_hints(summary, test::plain()),
             contains("To make it fit, try --set layout.recompute=full\n"));
}

TEST_CASE("hints offer no option that was given, and a long command on a line of its own") {
  Summary summary = test::two_cards();
  summary.advice = {"layout.tp=1", "training.global_batch=16"};
  const std::string hints = run_hints(summary, test::plain(), {.timeline = true});
  CHECK_THAT(hints, contains("Against the largest loss, tensor chatter (tp), try\n"
                             "    --set layout.tp=1 --set training.global_batch=16\n"));
  CHECK(hints.find("--timeline") == std::string::npos);
  CHECK(hints.find("--json") == std::string::npos);
  CHECK_THAT(hints, contains("--trace step.json"));
  summary.advice.clear();
  CHECK(run_hints(summary, test::plain(), {.timeline = true, .trace = true}).empty());
}

TEST_CASE("the printed rows of the breakdown add up to the printed step") {
  const std::string page = run_page(test::large_run(), test::plain());
  double rows = 0;
  for (const Part& part : breakdown_parts()) {
    const std::string line = line_with(page, std::string(" ") + part.label + " ");
    if (line.empty()) continue;
    std::istringstream in(line.substr(line.find(part.label) + std::string(part.label).size()));
    double seconds = 0;
    in >> seconds;
    rows += seconds;
  }
  // Six rows of two decimals: 3.31 + 0.71 + 0.62 + 0.12 + 0.28 + 0.08 = 5.12.
  CHECK(rows == Approx(5.12));
  CHECK_THAT(line_with(page, "100.0"), contains("step  5.12"));
}

TEST_CASE("rows in which nothing is lost are left out") {
  const std::string page = run_page(test::one_card(), test::plain());
  CHECK(page.find("pipeline bubble") == std::string::npos);
  CHECK(page.find("recomputation") == std::string::npos);
  CHECK_THAT(page, contains("optimizer"));
}

TEST_CASE("HFU is told only where it is not MFU") {
  Summary summary = test::large_run();
  CHECK(run_page(summary, test::plain()).find("HFU") == std::string::npos);
  summary.hfu = summary.mfu * 4 / 3;
  CHECK_THAT(run_page(summary, test::plain()), contains("HFU 65."));
}

TEST_CASE("with long sequences MFU is told without the masked half of attention too") {
  Summary summary = test::large_run();
  config::Scenario& s = summary.scenario;
  s.model.layers = 1;
  s.model.heads = s.model.kv_heads = 8;
  s.model.head_dim = 8;
  s.model.hidden = 64;
  s.model.ffn = 256;
  summary.mfu = 0.9;
  // A layer's matrices take 2 x 12 h^2 a token, its attention 4 s h: as much with s = 6 h.
  s.training.sequence_length = 6 * 64;
  CHECK_THAT(run_page(summary, test::plain()),
             contains("(67.5 % with the causal half of attention alone)"));
  s.training.sequence_length = 64;  // 1/7 of the whole
  CHECK(run_page(summary, test::plain()).find("causal half") == std::string::npos);
  s.training.sequence_length = 6 * 64;
  s.training.attention_flops = config::AttentionFlops::causal;
  CHECK(run_page(summary, test::plain()).find("causal half") == std::string::npos);
}

TEST_CASE("a page opens with the name of a scenario that is not that of its file") {
  Summary summary = test::one_card();
  summary.scenario.file = "scenarios/one-card.json";
  CHECK_THAT(test::lines_of(run_page(summary, test::plain())).front(), contains("GPT 1.3B in"));
  summary.scenario.name = "My first card";
  CHECK(test::lines_of(run_page(summary, test::plain())).front() == "My first card");
}

TEST_CASE("stages that hold the same share a row, with the range of what differs") {
  const std::string page = run_page(test::large_run(), test::plain());
  // Activations of stage i: 40 - 1.5 i GiB.
  CHECK_THAT(line_with(page, "1-14"), contains("19.0-38.5"));
}

TEST_CASE("every assumption is told") {
  const Summary summary = test::large_run();
  const std::string page = run_page(summary, test::plain());
  for (const std::string& assumption : summary.scenario.assumptions) {
    CHECK_THAT(page, contains(assumption));
  }
}

TEST_CASE("durations of a column share a unit and show at least three digits of the largest") {
  CHECK(TimeScale(Seconds(5.12)).number(Seconds(0.08)) == "0.08");
  CHECK(std::string(TimeScale(Seconds(0.42)).unit()) == "ms");
  CHECK(TimeScale(Seconds(0.42)).number(Seconds(0.42)) == "420.0");
  CHECK(TimeScale(Seconds(5.12)).number(Seconds(1e-6)) == "<0.01");
  CHECK(TimeScale(Seconds(5.12)).number(Seconds(0)) == "0.00");
}

TEST_CASE("large counts are said in millions, billions, trillions") {
  CHECK(counted(200) == "200");
  CHECK(counted(8533.3) == "8,533");
  CHECK(counted(3.28e6) == "3.28 M");
  CHECK(counted(999.7e6) == "1.00 B");
  CHECK(counted(15.6e12) == "15.6 T");
}

TEST_CASE("memory is printed in binary units") {
  CHECK(memory_text(Bytes(80.0 * 1024 * 1024 * 1024)) == "80.0 GiB");
  CHECK(memory_text(Bytes(512.0 * 1024 * 1024)) == "512 MiB");
}

}  // namespace
}  // namespace flotilla::report
