#include "sim/step/groups.h"

#include <algorithm>
#include <limits>
#include <map>

#include "sim/topology/node_ring.h"

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

std::vector<CrowdedEdge> crowded(const std::vector<topology::EdgeIndex>& edges,
                                 const topology::Load& load) {
  std::vector<CrowdedEdge> result;
  for (const topology::EdgeIndex e : edges) result.push_back({e, std::max(1, load.count(e))});
  return result;
}

// In-node hops are counted only where they may share a link: elsewhere each GPU has its own port.
void add_hops(const std::vector<Rank>& group, const topology::Fabric& fabric,
              topology::Load& load) {
  for (const Transfer& hop : hops_between_nodes(group, fabric)) load.add(hop);
  if (fabric.uniform_nodes()) return;
  for (const Transfer& hop : hops_within_nodes(group, fabric)) load.add(hop);
}

// The slowest of the rings inside the nodes of a group; the first of several.
topology::NodeRing slowest_node_ring(const std::vector<std::vector<Rank>>& members,
                                     const config::Node& node, const topology::Fabric& fabric,
                                     const topology::Load& load) {
  topology::NodeRing slowest = topology::node_ring(fabric, node, load, members.front());
  for (const auto& part : members) {
    topology::NodeRing ring = topology::node_ring(fabric, node, load, part);
    if (ring.rate < slowest.rate) slowest = std::move(ring);
  }
  return slowest;
}

// The rate, where the edges would let more through.
BytesPerSecond limit_beyond(const std::vector<CrowdedEdge>& edges, BytesPerSecond rate,
                            const topology::Fabric& fabric) {
  const bool narrower = std::all_of(edges.begin(), edges.end(), [&](const CrowdedEdge& e) {
    return rate < fabric.edge(e.edge).capacity / static_cast<double>(e.alike) * (1 - 1e-9);
  });
  return narrower ? rate : BytesPerSecond(std::numeric_limits<double>::infinity());
}

}  // namespace

std::vector<Transfer> hops_within_nodes(const std::vector<Rank>& group,
                                        const topology::Fabric& fabric) {
  std::vector<Transfer> hops;
  for (const auto& part : by_node(group, fabric)) {
    for (const Transfer& hop : topology::ring_hops(part)) hops.push_back(hop);
  }
  return hops;
}

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

GroupSite group_site(const std::vector<Rank>& group, const config::Platform& platform,
                     const topology::Fabric& fabric, const topology::Load& load) {
  const auto members = by_node(group, fabric);
  GroupSite site;
  Placement& at = site.placement;
  at.ranks = static_cast<std::int64_t>(group.size());
  at.nodes = static_cast<std::int64_t>(members.size());
  at.ranks_per_node = smallest_part(members);
  const topology::NodeRing ring = slowest_node_ring(members, platform.node, fabric, load);
  at.node_kind = ring.kind;
  at.node_rate = ring.rate;
  at.node_hop = ring.hop;
  // What is known of the node's link holds for rings over that link alone.
  if (ring.kind == platform.node.link.kind) at.node_tuning = platform.node.link.tuning;
  if (platform.node.fabric != config::NodeFabric::nvswitch) at.node_tuning.in_switch.reset();
  at.network_tuning = platform.node.nic.tuning;
  site.node = crowded(ring.edges, load);
  site.node_limit = limit_beyond(site.node, ring.rate, fabric);
  const auto hops = hops_between_nodes(group, fabric);
  if (hops.empty()) return site;
  // A ring is as fast as its slowest hop; a step waits for its own hop only.
  const auto slowest = std::min_element(
      hops.begin(), hops.end(),
      [&](const Transfer& a, const Transfer& b) { return load.share(a) < load.share(b); });
  at.network_rate = load.share(*slowest);
  for (const Transfer& hop : hops) {
    at.network_hop += topology::route_latency(fabric, hop) / static_cast<double>(hops.size());
  }
  std::vector<topology::EdgeIndex> edges = fabric.route(slowest->from, slowest->to);
  if (fabric.uniform_nodes()) {  // nothing but NIC ports at the ends
    edges.front() = fabric.network_port_out(group.front());
    edges.back() = fabric.network_port_in(group.front());
  }
  site.network = crowded(edges, load);
  site.network_limit = limit_beyond(site.network, at.network_rate, fabric);
  return site;
}

Rank representative(const layout::Mesh& mesh, std::int64_t pipeline_rank) {
  return mesh.rank({.tp = 0, .cp = 0, .dp = 0, .pp = pipeline_rank});
}

GroupSite tensor_site(const config::Scenario& scenario, const layout::Mesh& mesh,
                      const topology::Fabric& fabric, std::int64_t pp) {
  topology::Load load(fabric);
  if (scenario.layout.tp > 1) {
    for (const Coordinates& at : mesh.tp_groups()) {
      if (at.pp == pp) add_hops(mesh.tp_group(at), fabric, load);
    }
  }
  return group_site(mesh.tp_group({.pp = pp}), scenario.platform, fabric, load);
}

std::vector<GroupSite> data_sites(const config::Scenario& scenario, const layout::Mesh& mesh,
                                  const topology::Fabric& fabric) {
  std::vector<topology::Load> loads(static_cast<std::size_t>(scenario.layout.pp),
                                    topology::Load(fabric));
  if (scenario.layout.dp > 1) {
    for (const Coordinates& at : mesh.dp_groups()) {
      topology::Load& load = loads[static_cast<std::size_t>(at.pp)];
      add_hops(mesh.dp_group(at), fabric, load);
    }
  }
  std::vector<GroupSite> sites;
  for (std::int64_t pp = 0; pp < scenario.layout.pp; ++pp) {
    sites.push_back(group_site(mesh.dp_group({.pp = pp}), scenario.platform, fabric,
                               loads[static_cast<std::size_t>(pp)]));
  }
  return sites;
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
          .edges = crowded(fabric.route(own.from, own.to), load),
          .latency = topology::route_latency(fabric, own)};
}

}  // namespace flotilla::step
