// Hand-made answers for the tests of the reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/graph/op_graph.h"
#include "sim/graph/timeline.h"
#include "sim/report/style.h"
#include "sim/report/summary.h"

namespace flotilla::test {

// A 405B model on 16,384 GPUs: 16 stages, every contract key filled in; the breakdown adds up
// to 5.12 s.
report::Summary large_run();
// One card of 24 GiB that the model does not fit into.
report::Summary one_card();
// The same on two cards that talk over PCIe: half the computing a card, and 0.74 s of talking.
report::Summary two_cards();

report::Style plain(int width = 100);
report::Style fancy(int width = 100);

std::vector<std::string> lines_of(const std::string& text);
bool is_ascii(const std::string& text);
std::string without_escapes(const std::string& text);

// A step whose spans are set by hand.
struct HandMadeStep {
  graph::OpGraph graph;
  graph::Timeline timeline;

  graph::OpId add(const graph::Op& op, double start, double end,
                  const std::vector<graph::OpId>& after = {});
};

// The 1f1b pipeline of `stages` stages and `microbatches`: forward blocks take 1 s, backward blocks
// 2 s, hand-overs nothing. Its length is (microbatches + stages - 1) x 3 s (each stage idles for
// (stages - 1) x 3 s), and one second of optimizer at the end.
HandMadeStep pipeline(int stages, int microbatches);

}  // namespace flotilla::test
