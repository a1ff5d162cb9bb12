// The step as a trace that ui.perfetto.dev and chrome://tracing open.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "sim/graph/op_graph.h"
#include "sim/graph/timeline.h"

namespace flotilla::report {

struct TraceOptions {
  std::vector<std::string> rank_names;  // by rank; missing ones are "stage 0", "stage 1", ...
  // Kernels inside the compute blocks are written while the whole trace stays below this; viewers
  // become slow beyond it. A trace without them says so in "otherData".
  std::size_t most_events = 400'000;
};

// One process a rank, one thread a stream; communications that overlap on one stream get threads of
// their own, since the format wants the spans of a thread to nest. Arrows lead from a hand-over to
// the block that waits for it. Times are in microseconds, rounded to nanoseconds.
void write_trace(const graph::OpGraph& graph, const graph::Timeline& timeline,
                 const TraceOptions& options, std::ostream& out);

}  // namespace flotilla::report
