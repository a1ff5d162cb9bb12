// What each rank does in each column of a timeline.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/graph/op_graph.h"
#include "sim/graph/timeline.h"

namespace flotilla::report {

enum class Doing : std::uint8_t {
  waiting,
  exchange,  // nothing is computed while gradients or parameters are on their way
  forward,
  backward,
  both,  // forward and backward blocks too short for a column of their own
  optimizer
};

// Neighbouring columns in which a rank does one thing: one block, or one wait.
struct TimelineCell {
  Doing doing = Doing::waiting;
  int columns = 0;
  std::int32_t microbatch = -1;
  std::int32_t chunk = 0;
};

struct TimelineRow {
  std::int32_t rank = 0;
  std::vector<TimelineCell> cells;  // their columns add up to those of the timeline
};

struct TimelineRows {
  // false: blocks are so short that a column shows what most of it is, not which microbatch.
  bool single_blocks = true;
  std::vector<TimelineRow> rows;
};

// The step from 0 to the makespan in equal columns, for the given ranks. A column shows what fills
// most of it; it waits when more than half of it is idle.
TimelineRows timeline_rows(const graph::OpGraph& graph, const graph::Timeline& timeline,
                           const std::vector<std::int32_t>& ranks, int columns);

}  // namespace flotilla::report
