#include "sim/step/groups.h"

#include <algorithm>
#include <limits>
#include <map>

namespace flotilla::step {

namespace {

using collective::Placement;
using layout::Coordinates;
using layout::Rank;
using topology::Transfer;

// The ranks of a group by node, in ring order.
std::vector<std::vector<Rank>> by_node(const std::vector<Rank>& group,
                                       const topology::Fabric& fabric) {
  std::map<std::int64_t, std::vector<Rank>> nodes;
  for (Rank rank : group) nodes[fabric.node_of(rank)].push_back(rank);
  std::vector<std::vector<Rank>> members;
  for (auto& [node, ranks] : nodes) members.push_back(std::move(ranks));
  return members;
}

std::int64_t smallest_part(const std::vector<std::vector<Rank>>& members) {
  std::size_t smallest = members.front().size();
  for (const auto& part : members) smallest = std::min(smallest, part.size());
  return static_cast<std::int64_t>(smallest);
}

// The hops between nodes of the rings that a group runs: ring k leaves every node at its k-th rank.
std::vector<Transfer> hops_between_nodes(const std::vector<Rank>& group,
                                         const topology::Fabric& fabric) {
  std::vector<Transfer> hops;
  const auto members = by_node(group, fabric);
  if (members.size() < 2) return hops;
  const auto rings = static_cast<std::size_t>(smallest_part(members));
  for (std::size_t node = 0; node < members.size(); ++node) {
    const auto& next = members[(node + 1) % members.size()];
    for (std::size_t k = 0; k < rings; ++k) hops.push_back({members[node][k], next[k]});
  }
  return hops;
}

Placement place(const std::vector<Rank>& group, const config::Platform& platform,
                const topology::Fabric& fabric, const topology::Load& load) {
  const auto members = by_node(group, fabric);
  Placement at;
  at.ranks = static_cast<std::int64_t>(group.size());
  at.nodes = static_cast<std::int64_t>(members.size());
  at.ranks_per_node = smallest_part(members);
  at.node_kind = platform.node.link.kind;
  at.node_rate = fabric.edge(fabric.node_port_out(group.front())).capacity;
  at.node_hop = platform.node.link.latency;
  at.node_tuning = platform.node.link.tuning;
  if (platform.node.fabric != config::NodeFabric::nvswitch) at.node_tuning.in_switch.reset();
  at.network_tuning = platform.node.nic.tuning;
  const auto hops = hops_between_nodes(group, fabric);
  if (hops.empty()) return at;
  // A ring is as fast as its slowest hop; a step waits for its own hop only.
  at.network_rate = load.share(hops.front());
  for (const Transfer& hop : hops) {
    at.network_rate = std::min(at.network_rate, load.share(hop));
    at.network_hop += topology::route_latency(fabric, hop) / static_cast<double>(hops.size());
  }
  return at;
}

// What one rank of an all-to-all gets of the network: every pair between two nodes exchanges the
// same amount, and the edge that the most pairs share is the slowest. A rank's own pairs count as
// many as there are peers on other nodes, so  rate = peers x the smallest share of a pair.
BytesPerSecond all_to_all_rate(const std::vector<Rank>& group, const topology::Fabric& fabric) {
  topology::Load load(fabric);
  const auto each_pair = [&](auto&& visit) {
    for (Rank from : group) {
      for (Rank to : group) {
        if (fabric.node_of(from) != fabric.node_of(to)) visit(Transfer{from, to});
      }
    }
  };
  each_pair([&](const Transfer& pair) { load.add(pair); });
  BytesPerSecond smallest(std::numeric_limits<double>::infinity());
  each_pair([&](const Transfer& pair) { smallest = std::min(smallest, load.share(pair)); });
  const auto members = by_node(group, fabric);
  return smallest * static_cast<double>(group.size() - members.front().size());
}

// Beyond this the pairs are too many to count; the ring's share stands in.
constexpr std::size_t kMostPairwiseRanks = 1024;

}  // namespace

Placement group_placement(const std::vector<Rank>& group, const config::Platform& platform,
                          const topology::Fabric& fabric) {
  topology::Load load(fabric);
  for (const Transfer& hop : hops_between_nodes(group, fabric)) load.add(hop);
  Placement at = place(group, platform, fabric, load);
  if (at.nodes > 1 && group.size() <= kMostPairwiseRanks) {
    at.all_to_all_rate = all_to_all_rate(group, fabric);
  }
  return at;
}

Rank representative(const layout::Mesh& mesh, std::int64_t pipeline_rank) {
  return mesh.rank({.tp = 0, .cp = 0, .dp = 0, .pp = pipeline_rank});
}

Placement tensor_placement(const config::Scenario& scenario, const layout::Mesh& mesh,
                           const topology::Fabric& fabric) {
  topology::Load load(fabric);
  if (scenario.layout.tp > 1) {
    for (const Coordinates& at : mesh.tp_groups()) {
      for (const Transfer& hop : hops_between_nodes(mesh.tp_group(at), fabric)) load.add(hop);
    }
  }
  return place(mesh.tp_group({}), scenario.platform, fabric, load);
}

std::vector<Placement> data_placements(const config::Scenario& scenario, const layout::Mesh& mesh,
                                       const topology::Fabric& fabric) {
  topology::Load load(fabric);
  if (scenario.layout.dp > 1) {
    for (const Coordinates& at : mesh.dp_groups()) {
      for (const Transfer& hop : hops_between_nodes(mesh.dp_group(at), fabric)) load.add(hop);
    }
  }
  std::vector<Placement> placements;
  for (std::int64_t pp = 0; pp < scenario.layout.pp; ++pp) {
    const auto group = mesh.dp_group({.tp = 0, .cp = 0, .dp = 0, .pp = pp});
    placements.push_back(place(group, scenario.platform, fabric, load));
  }
  return placements;
}

Handover handover(const layout::Mesh& mesh, const topology::Fabric& fabric, std::int64_t from,
                  std::int64_t to) {
  topology::Load load(fabric);
  for (Rank rank = 0; rank < mesh.size(); ++rank) {
    Coordinates at = mesh.coordinates(rank);
    if (at.pp != from) continue;
    at.pp = to;
    load.add({rank, mesh.rank(at)});
  }
  const Transfer own{representative(mesh, from), representative(mesh, to)};
  return {.within_node = fabric.node_of(own.from) == fabric.node_of(own.to),
          .share = load.share(own),
          .latency = topology::route_latency(fabric, own)};
}

}  // namespace flotilla::step
