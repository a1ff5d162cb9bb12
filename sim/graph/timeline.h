// What an engine gives back: when each operation ran.
#pragma once

#include <vector>

#include "sim/graph/op_graph.h"
#include "sim/units/quantity.h"

namespace flotilla::graph {

struct Span {
  Seconds start;
  Seconds end;
};

struct Timeline {
  std::vector<Span> spans;  // by OpId
  Seconds makespan;         // end of the last operation

  [[nodiscard]] const Span& at(OpId id) const { return spans[static_cast<std::size_t>(id)]; }
};

}  // namespace flotilla::graph
