// The replay itself, in this process. Call it at most once per process: see engine.h for `run`.
#pragma once

#include <vector>

#include "sim/graph/op_graph.h"
#include "sim/graph/timeline.h"

namespace flotilla::engine {

std::vector<graph::Span> replay(const graph::OpGraph& graph);

}  // namespace flotilla::engine
