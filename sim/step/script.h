// A part of a pass as operations: runs of kernels that nothing interrupts, and the exchanges
// between them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/graph/op_graph.h"
#include "sim/model/program.h"

namespace flotilla::step {

struct ScriptStep {
  bool is_exchange = false;
  std::int32_t profile = -1;  // kernels: index in OpGraph::profiles()
  Seconds duration;           // kernels
  model::Exchange exchange;
  int waits_for = -1;  // an exchange earlier in the script; -1: none
};

using Script = std::vector<ScriptStep>;

// `timed` is the program as BlockTimer timed it; its kernels keep their durations there.
Script make_script(graph::OpGraph& graph, const model::Program& program,
                   const graph::BlockProfile& timed);

}  // namespace flotilla::step
