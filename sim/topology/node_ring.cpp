#include "sim/topology/node_ring.h"

#include <algorithm>

#include "sim/topology/ring_packing.h"

namespace flotilla::topology {

namespace {

std::int64_t direct_rings(const Fabric& fabric, const std::vector<Gpu>& members) {
  LinkCounts links(members.size(), std::vector<std::int64_t>(members.size(), 0));
  for (std::size_t a = 0; a < members.size(); ++a) {
    for (std::size_t b = 0; b < members.size(); ++b) {
      if (a != b) links[a][b] = *fabric.direct_links(members[a], members[b]);
    }
  }
  return directed_rings(links);
}

// A ring is as fast as its slowest port.
BytesPerSecond slowest_port(const Fabric& fabric, const std::vector<Gpu>& members) {
  BytesPerSecond slowest = fabric.edge(fabric.node_port_out(members.front())).capacity;
  for (const Gpu gpu : members) {
    slowest = std::min({slowest, fabric.edge(fabric.node_port_out(gpu)).capacity,
                        fabric.edge(fabric.node_port_in(gpu)).capacity});
  }
  return slowest;
}

}  // namespace

std::vector<Transfer> ring_hops(const std::vector<Gpu>& members) {
  std::vector<Transfer> hops;
  if (members.size() < 2) return hops;
  for (std::size_t i = 0; i < members.size(); ++i) {
    hops.push_back({members[i], members[(i + 1) % members.size()]});
  }
  return hops;
}

NodeRing node_ring(const Fabric& fabric, const config::Node& node, const Load& load,
                   const std::vector<Gpu>& members) {
  NodeRing ring{
      .rate = slowest_port(fabric, members),
      .kind = node.link.kind,
      .hop = node.link.latency,
      .edges = {fabric.node_port_out(members.front()), fabric.node_port_in(members.front())}};
  const std::vector<Transfer> hops = ring_hops(members);
  if (fabric.uniform_nodes() || hops.empty()) return ring;
  if (fabric.direct_links(members[0], members[1])) {
    const std::int64_t rings = direct_rings(fabric, members);
    if (rings > 0) {
      // Each takes one link of every pair that it passes, all of them at the pace of the slowest.
      const double share = fabric.slowest_direct_link(members);
      ring.rate = std::min(ring.rate, fabric.node_fabric().direct_link_rate() *
                                          (static_cast<double>(rings) * share));
      return ring;
    }
    ring.kind = node.pcie ? node.pcie->link.kind : node.link.kind;
  }
  const auto slowest = std::min_element(
      hops.begin(), hops.end(),
      [&](const Transfer& a, const Transfer& b) { return load.share(a) < load.share(b); });
  ring.rate = load.share(*slowest);
  ring.edges = fabric.route(slowest->from, slowest->to);
  ring.hop = Seconds(0);
  for (const Transfer& hop : hops) {
    ring.hop += route_latency(fabric, hop) / static_cast<double>(hops.size());
  }
  return ring;
}

}  // namespace flotilla::topology
