#include "sim/collective/ring.h"

#include <algorithm>
#include <stdexcept>

namespace flotilla::collective {

namespace {

using config::LinkKind;

template <class Map, class Value>
Value value_or(const Map& map, LinkKind kind, Value otherwise) {
  const auto found = map.find(kind);
  return found == map.end() ? otherwise : found->second;
}

// Steps of the ring that wait for the network: the data passes every node boundary once for an
// all-gather or a reduce-scatter and twice for an all-reduce; the other steps stay inside a node.
Seconds ring_latency(Op op, const Placement& at, const config::Protocol& protocol) {
  const double rounds = op == Op::all_reduce ? 2 : 1;
  const double steps = rounds * static_cast<double>(at.ranks - 1);
  const double between_nodes = rounds * static_cast<double>(at.nodes - 1);
  const Seconds inside = value_or(protocol.hop, at.node_kind, Seconds()) + at.node_hop;
  const Seconds outside = value_or(protocol.hop, LinkKind::network, Seconds()) + at.network_hop;
  return protocol.base + (steps - between_nodes) * inside + between_nodes * outside;
}

Plan with_protocol(Op op, Bytes bytes, const Placement& at, const config::Protocol& protocol) {
  Plan plan{.protocol = protocol.name,
            .latency = ring_latency(op, at, protocol),
            .node_bytes = {},
            .network_bytes = {},
            .time = {}};
  const Bytes per_rank = bytes * bus_factor(op, at.ranks);
  const double leaving = at.nodes > 1 ? 1.0 / static_cast<double>(at.ranks_per_node) : 0.0;
  Seconds slowest;
  if (leaving > 0) {
    plan.network_bytes =
        per_rank * leaving / value_or(protocol.bandwidth_fraction, LinkKind::network, 1.0);
    slowest = plan.network_bytes / at.network_rate;
  }
  if (leaving < 1) {
    plan.node_bytes =
        per_rank * (1 - leaving) / value_or(protocol.bandwidth_fraction, at.node_kind, 1.0);
    slowest = std::max(slowest, plan.node_bytes / at.node_rate);
  }
  plan.time = plan.latency + slowest;
  return plan;
}

}  // namespace

double bus_factor(Op op, std::int64_t ranks) {
  const auto n = static_cast<double>(ranks);
  return (op == Op::all_reduce ? 2 : 1) * (n - 1) / n;
}

Plan plan_ring(Op op, Bytes bytes, const Placement& placement,
               const config::CollectiveLibrary& library) {
  if (placement.ranks <= 1) return {};
  if (library.protocols.empty()) throw std::logic_error("a collective library without protocols");
  Plan best;
  bool found = false;
  for (const config::Protocol& protocol : library.protocols) {
    Plan plan = with_protocol(op, bytes, placement, protocol);
    if (!found || plan.time < best.time) best = std::move(plan);
    found = true;
  }
  return best;
}

}  // namespace flotilla::collective
