#include "sim/report/timeline.h"

#include <cmath>

#include "sim/report/timeline_rows.h"
#include "tests/catch.h"
#include "tests/report/samples.h"

namespace flotilla::report {
namespace {

using test::contains;

// One character for each column: F, B, O(ptimizer), '~' exchange, '+' both, '.' waiting.
std::string letters(const TimelineRow& row) {
  std::string text;
  for (const TimelineCell& cell : row.cells) {
    constexpr const char* of_doing = ".~FB+O";
    text +=
        std::string(static_cast<std::size_t>(cell.columns), of_doing[static_cast<int>(cell.doing)]);
  }
  return text;
}

TEST_CASE("two stages with one microbatch: each stage idles while the other computes") {
  // Forward 1 s, backward 2 s, optimizer 1 s: 7 s in 7 columns.
  const test::HandMadeStep step = test::pipeline(2, 1);
  const TimelineRows rows = timeline_rows(step.graph, step.timeline, {0, 1}, 7);
  CHECK(letters(rows.rows[0]) == "F...BBO");
  CHECK(letters(rows.rows[1]) == ".FBB..O");
}

TEST_CASE("two stages with eight microbatches: columns wait exactly where nothing is computed") {
  // (8 + 2 - 1) x 3 s + 1 s of optimizer = 28 s; four columns a second.
  const test::HandMadeStep step = test::pipeline(2, 8);
  REQUIRE(step.timeline.makespan.value() == Approx(28));
  constexpr int columns = 4 * 28;
  const TimelineRows rows = timeline_rows(step.graph, step.timeline, {0, 1}, columns);
  REQUIRE(rows.single_blocks);
  for (const TimelineRow& row : rows.rows) {
    const std::string cells = letters(row);
    REQUIRE(cells.size() == columns);
    int idle = 0;
    for (int c = 0; c < columns; ++c) {
      const double middle = (c + 0.5) / 4;
      bool busy = false;
      for (graph::OpId id = 0; id < static_cast<graph::OpId>(step.graph.size()); ++id) {
        const auto& op = step.graph.op(id);
        const auto& span = step.timeline.at(id);
        busy = busy || (op.stream == graph::Stream::compute && op.rank == row.rank &&
                        span.start.value() < middle && middle < span.end.value());
      }
      CAPTURE(row.rank, c);
      CHECK((cells[static_cast<std::size_t>(c)] != '.') == busy);
      idle += busy ? 0 : 1;
    }
    CHECK(idle == 4 * 3);  // the bubble of 1f1b: (stages - 1) x (forward + backward)
  }
}

TEST_CASE("blocks shorter than a column: a column says which kind fills it") {
  const test::HandMadeStep step = test::pipeline(4, 200);  // 610 s in 61 columns
  const TimelineRows rows = timeline_rows(step.graph, step.timeline, {0, 1, 2, 3}, 61);
  CHECK_FALSE(rows.single_blocks);
  CHECK_THAT(letters(rows.rows[3]), contains(std::string(50, '+')));
}

TEST_CASE("data traffic shows only where nothing is computed meanwhile") {
  test::HandMadeStep step;
  step.add({.purpose = graph::Purpose::backward, .microbatch = 0}, 0, 5);
  step.add({.purpose = graph::Purpose::gradient_reduce, .stream = graph::Stream::data}, 3, 8);
  step.add({.purpose = graph::Purpose::optimizer}, 8, 10);
  const TimelineRows rows = timeline_rows(step.graph, step.timeline, {0}, 10);
  CHECK(letters(rows.rows[0]) == "BBBBB~~~OO");
}

TEST_CASE("without colour, forward and backward can be told apart and numbers read") {
  const test::HandMadeStep step = test::pipeline(2, 8);
  const std::string page = timeline_page(step.graph, step.timeline, {{}, 0.107}, test::plain());
  CHECK(test::is_ascii(page));
  for (int m = 0; m < 8; ++m) {
    CHECK_THAT(page, contains(std::to_string(m) + "--"));
    CHECK_THAT(page, contains(std::to_string(m) + "===="));
  }
  CHECK_THAT(page, contains("pipeline bubble 10.7 %"));
  CHECK_THAT(page, contains("opt|"));
}

TEST_CASE("a timeline has one row a stage, equally long, within the width") {
  for (const int width : {100, 60, 40}) {
    for (const auto& [stages, microbatches] :
         {std::pair{1, 1}, {2, 1}, {2, 8}, {4, 16}, {16, 100}, {48, 96}}) {
      const test::HandMadeStep step = test::pipeline(stages, microbatches);
      for (const Style& style : {test::plain(width), test::fancy(width)}) {
        const std::string page = timeline_page(step.graph, step.timeline, {}, style);
        int rows = 0;
        for (const std::string& line : test::lines_of(page)) {
          CAPTURE(line);
          CHECK(display_width(line) <= width);
          if (line.rfind("  stage ", 0) != 0) continue;
          ++rows;
          CHECK(display_width(line) == width);
        }
        CHECK(rows == std::min(stages, 16));
      }
    }
  }
}

TEST_CASE("more stages than rows: the first and the last are shown and the page says so") {
  const test::HandMadeStep step = test::pipeline(48, 4);
  const std::string page = timeline_page(step.graph, step.timeline, {}, test::plain());
  CHECK_THAT(page, contains("stage 0 "));
  CHECK_THAT(page, contains("stage 47"));
  CHECK_THAT(page, contains("16 of 48 stages"));
}

TEST_CASE("colour changes how a timeline looks, not where its blocks are") {
  const test::HandMadeStep step = test::pipeline(2, 8);
  const auto plain = test::lines_of(timeline_page(step.graph, step.timeline, {}, test::plain()));
  const auto fancy = test::lines_of(
      test::without_escapes(timeline_page(step.graph, step.timeline, {}, test::fancy())));
  REQUIRE(plain.size() == fancy.size());
  CHECK(plain[0] == fancy[0]);
  // Column by column, digits stand at the same place (box characters take several bytes).
  const auto digits = [](std::string line) {
    std::string found;
    for (const char c : line) {
      if (c >= '0' && c <= '9') found += c;
    }
    return found;
  };
  CHECK(digits(plain[1]) == digits(fancy[1]));
}

TEST_CASE("model chunks of interleaved schedules are named by letters") {
  test::HandMadeStep step;
  for (int chunk = 0; chunk < 2; ++chunk) {
    for (int m = 0; m < 2; ++m) {
      const double start = 2 * chunk + m;
      step.add({.purpose = graph::Purpose::forward, .microbatch = m, .chunk = chunk}, start,
               start + 1);
    }
  }
  const std::string page = timeline_page(step.graph, step.timeline, {}, test::plain());
  for (const char* name : {"0a-", "1a-", "0b-", "1b-"}) CHECK_THAT(page, contains(name));
}

TEST_CASE("an empty step gives an empty timeline, not a crash") {
  const test::HandMadeStep step;
  CHECK_FALSE(timeline_page(step.graph, step.timeline, {}, test::plain()).empty());
}

}  // namespace
}  // namespace flotilla::report
