#include "sim/collective/ways.h"

#include <algorithm>

namespace flotilla::collective {

namespace {

using config::LinkKind;
using config::Protocol;
using config::WireTiming;

template <class Map>
auto value_or_default(const Map& map, LinkKind kind, typename Map::mapped_type otherwise) {
  const auto found = map.find(kind);
  return found == map.end() ? otherwise : found->second;
}

Wire filled_in(const WireTiming& measured, Seconds hop, double fraction) {
  Wire wire;
  wire.hop = measured.hop.value_or(hop);
  wire.level = measured.tree_hop.value_or(wire.hop);
  wire.fraction = measured.bandwidth_fraction.value_or(fraction);
  wire.local_copy = measured.local_copy;
  wire.fill_share = measured.fill_share;
  wire.fill = measured.fill;
  return wire;
}

WireTiming measured(const config::LinkTuning& tuning, const std::string& name) {
  const auto found = tuning.protocols.find(name);
  return found == tuning.protocols.end() ? WireTiming{} : found->second;
}

Wire wire_of(const Protocol& protocol, LinkKind kind, const WireTiming& timing) {
  return filled_in(timing, value_or_default(protocol.hop, kind, Seconds()),
                   value_or_default(protocol.bandwidth_fraction, kind, 1.0));
}

// A rank has the fixed time of its node's link type, and what the network adds to it.
Seconds base_of(const Placement& at, const WireTiming& node, const WireTiming& network,
                Seconds otherwise) {
  Seconds base = at.ranks_per_node > 1 ? node.base.value_or(otherwise) : otherwise;
  if (at.nodes > 1) base += network.base.value_or(Seconds());
  return base;
}

Way protocol_way(Algorithm algorithm, const Placement& at, const Protocol& protocol) {
  const WireTiming node = measured(at.node_tuning, protocol.name);
  const WireTiming network = measured(at.network_tuning, protocol.name);
  return {algorithm, protocol.name, base_of(at, node, network, protocol.base),
          wire_of(protocol, at.node_kind, node), wire_of(protocol, LinkKind::network, network)};
}

// In-switch reduction is a protocol of its own; between nodes it travels as the last of the
// library's protocols, the one for large messages, unless the network's link type knows better.
Way in_switch_way(Algorithm algorithm, const Placement& at,
                  const config::CollectiveLibrary& library) {
  const auto simple = std::find_if(library.protocols.begin(), library.protocols.end(),
                                   [](const Protocol& p) { return p.name == "simple"; });
  const Protocol& protocol = simple == library.protocols.end() ? library.protocols.back() : *simple;
  const WireTiming& node = at.node_tuning.in_switch->wire;
  const auto own = at.network_tuning.protocols.find("nvls_tree");
  const WireTiming network = own == at.network_tuning.protocols.end()
                                 ? measured(at.network_tuning, protocol.name)
                                 : own->second;
  return {algorithm, protocol.name, base_of(at, node, network, protocol.base),
          filled_in(node, Seconds(), 1), wire_of(protocol, LinkKind::network, network)};
}

Way pairwise_way(const Placement& at, const std::string& name, Seconds base, const WireTiming& node,
                 const WireTiming& network) {
  return {Algorithm::pairwise, name, base_of(at, node, network, base),
          filled_in(node, Seconds(), 1), filled_in(network, Seconds(), 1)};
}

std::vector<Way> pairwise_ways(const Placement& at, const config::CollectiveLibrary& library) {
  const WireTiming none;
  const auto& node = at.node_tuning;
  const auto& network = at.network_tuning;
  std::vector<Way> found = {pairwise_way(at, "simple", library.p2p, node.pairwise.value_or(none),
                                         network.pairwise.value_or(none))};
  if (node.pairwise_small && (at.nodes == 1 || network.pairwise_small)) {
    found.push_back(pairwise_way(at, "ll", library.p2p, *node.pairwise_small,
                                 network.pairwise_small.value_or(none)));
  }
  return found;
}

Seconds tier_time(Bytes bytes, BytesPerSecond rate) {
  return bytes > Bytes() ? bytes / rate : Seconds();
}

// The pipeline of chunks fills in the time of a share of the bytes, up to so many bytes. A tree
// between nodes has a pipeline for each of its levels, and a node at both ends of each.
Seconds fill_time(Bytes bytes, const Wire& wire, BytesPerSecond rate, double depth) {
  return tier_time(std::min(bytes * wire.fill_share, wire.fill), rate * wire.fraction) * depth;
}

Seconds steps(const Demand& d, const Way& way, const Placement& at) {
  const Seconds level = d.levels > 0 ? way.network.level : way.network.hop;
  Seconds time = d.node_hops * way.node.hop + d.network_hops * level;
  if (d.at_once) {
    if (d.network_hops > 0) return time + at.network_hop;
    return d.node_hops > 0 ? time + at.node_hop : time;
  }
  return time + d.node_hops * at.node_hop + d.network_hops * at.network_hop;
}

}  // namespace

std::vector<Way> ways(Algorithm algorithm, const Placement& at,
                      const config::CollectiveLibrary& library) {
  if (algorithm == Algorithm::pairwise) return pairwise_ways(at, library);
  if (algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree) {
    return {in_switch_way(algorithm, at, library)};
  }
  std::vector<Way> found;
  for (const Protocol& protocol : library.protocols) {
    found.push_back(protocol_way(algorithm, at, protocol));
  }
  return found;
}

Plan timed(const Demand& demand, const Way& way, const Placement& at, BytesPerSecond network_rate) {
  Plan plan;
  plan.algorithm = way.algorithm;
  plan.protocol = way.protocol;
  plan.node_bytes = demand.node / way.node.fraction;
  plan.network_bytes = demand.network / way.network.fraction;
  const Seconds in_node = tier_time(plan.node_bytes, at.node_rate);
  const Seconds between = tier_time(plan.network_bytes, network_rate);
  plan.latency = way.base + steps(demand, way, at);
  plan.latency +=
      std::max(fill_time(demand.node, way.node, at.node_rate, 1 + demand.levels),
               fill_time(demand.network, way.network, network_rate, std::max(1.0, demand.levels)));
  if (at.ranks_per_node > 1) {
    plan.latency += tier_time(demand.local * way.node.local_copy, at.node_rate * way.node.fraction);
  }
  if (demand.one_by_one) plan.latency += std::min(in_node, between);
  plan.time = plan.latency + std::max(in_node, between);
  return plan;
}

}  // namespace flotilla::collective
