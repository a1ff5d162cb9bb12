#include <map>
#include <tuple>

#include "sim/report/topology_page.h"

namespace flotilla::report {

namespace {

using topology::VertexKind;

std::string kind_of(const topology::Wiring& wiring, topology::Vertex vertex) {
  const topology::VertexProperties& v = wiring.graph()[vertex];
  switch (v.kind) {
    case VertexKind::gpu:
      return "gpu";
    case VertexKind::gpu_links:
      return "gpu links";
    case VertexKind::node_switch:
      return "node switch";
    case VertexKind::pcie_switch:
      return "pcie switch";
    case VertexKind::socket:
      return "socket";
    case VertexKind::nic:
      return "nic";
    case VertexKind::router:
      return "router";
    case VertexKind::network_switch:
      break;
  }
  // Switches of a list have names, not layers.
  return v.number < 0 ? "switch" : wiring.tier_names[static_cast<std::size_t>(v.tier)];
}

}  // namespace

std::vector<LinkClass> link_classes(const topology::Fabric& fabric) {
  const topology::Wiring& wiring = fabric.wiring();
  std::map<std::tuple<int, int, int, int, double, double>, std::size_t> index;
  std::vector<LinkClass> classes;
  // Edges come in pairs of opposite directions; the first goes up.
  for (std::size_t i = 0; i < fabric.edge_count(); i += 2) {
    const auto e = static_cast<topology::EdgeIndex>(i);
    const topology::Vertex below = wiring.source(e);
    const topology::Vertex above = wiring.target(e);
    const topology::VertexProperties& a = wiring.graph()[below];
    const topology::VertexProperties& b = wiring.graph()[above];
    const topology::EdgeProperties& link = fabric.edge(e);
    const bool listed = a.number < 0 || b.number < 0;
    const std::tuple key{static_cast<int>(a.kind), listed ? -1 : a.tier,  static_cast<int>(b.kind),
                         listed ? -1 : b.tier,     link.capacity.value(), link.latency.value()};
    const auto [entry, fresh] = index.try_emplace(key, classes.size());
    if (fresh) {
      classes.push_back({.lower = kind_of(wiring, below),
                         .upper = kind_of(wiring, above),
                         .bandwidth = link.capacity,
                         .latency = link.latency});
    }
    ++classes[entry->second].count;
  }
  return classes;
}

}  // namespace flotilla::report
