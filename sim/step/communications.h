// The communications of a step as operations of its graph.
#pragma once

#include <cstdint>
#include <span>

#include "sim/collective/collective.h"
#include "sim/config/scenario.h"
#include "sim/graph/op_graph.h"
#include "sim/schedule/schedule.h"
#include "sim/step/block.h"
#include "sim/step/wiring.h"

namespace flotilla::step {

// What an operation belongs to.
struct Mark {
  std::int32_t rank = 0;
  std::int64_t chunk = 0;
  std::int64_t microbatch = -1;
};

class Communications {
 public:
  Communications(const config::Scenario& scenario, graph::OpGraph& graph, CollectiveTable& table)
      : scenario_(scenario), graph_(graph), table_(table) {}

  // A collective of a tensor- or data-parallel group: the latency of its plan, then the flows of
  // every simulated member at once.
  graph::OpId add_collective(const Ring& ring, const char* group, collective::Op kind, Bytes bytes,
                             graph::Purpose purpose, const Mark& mark,
                             std::span<const graph::OpId> after);

  // One microbatch's activations (or their gradients) from one GPU to its peer on another stage.
  // Without sequence parallelism every tensor rank holds all of them: each sends 1/tp, and the
  // receivers gather the parts over their node, which takes `gather` (Narayanan et al. 2021).
  graph::OpId add_send(const Route& route, schedule::Pass pass, Seconds gather, const Mark& mark,
                       std::span<const graph::OpId> after);

  // An all-reduce between two GPUs: each sends the whole tensor once, in halves.
  graph::OpId add_pair_all_reduce(const Route& there, const Route& back, Bytes bytes,
                                  const Mark& mark, std::span<const graph::OpId> after);

 private:
  graph::OpId add(graph::Op op, std::span<const graph::Flow> flows, const Mark& mark,
                  std::span<const graph::OpId> after);
  [[nodiscard]] CollectiveKind pair_kind(const char* group, const char* op, Bytes bytes,
                                         const Route& route) const;

  const config::Scenario& scenario_;
  graph::OpGraph& graph_;
  CollectiveTable& table_;
};

}  // namespace flotilla::step
