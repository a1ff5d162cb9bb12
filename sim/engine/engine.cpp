#include "sim/engine/engine.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "sim/engine/child.h"
#include "sim/engine/replay.h"
#include "sim/graph/symmetry.h"

namespace flotilla::engine {

graph::Timeline run(const graph::OpGraph& graph) {
  // A graph that deadlocks would leave SimGrid with nothing to do; find that out before the fork.
  graph::topological_order(graph);

  const std::vector<std::byte> bytes = in_child([&graph] {
    const std::vector<graph::Span> spans = replay(graph);
    const auto raw = std::as_bytes(std::span(spans));
    return std::vector<std::byte>(raw.begin(), raw.end());
  });

  graph::Timeline timeline;
  timeline.spans.resize(bytes.size() / sizeof(graph::Span));
  if (!bytes.empty())
    std::memcpy(timeline.spans.data(), bytes.data(), timeline.spans.size() * sizeof(graph::Span));
  for (const graph::Span& span : timeline.spans) {
    timeline.makespan = std::max(timeline.makespan, span.end);
  }
  return timeline;
}

graph::Timeline run_folded(const graph::OpGraph& graph) {
  const graph::Quotient quotient = graph::fold_symmetry(graph);
  return graph::unfold(quotient, run(quotient.graph));
}

}  // namespace flotilla::engine
