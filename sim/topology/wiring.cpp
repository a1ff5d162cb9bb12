#include "sim/topology/wiring.h"

namespace flotilla::topology {

Vertex Wiring::add_vertex(VertexProperties properties) {
  return boost::add_vertex(properties, graph_);
}

Duplex Wiring::join(Vertex below, Vertex above, BytesPerSecond capacity, Seconds latency) {
  const auto add_edge = [&](Vertex from, Vertex to) {
    const auto index = static_cast<EdgeIndex>(edges_.size());
    edges_.push_back(
        boost::add_edge(from, to, EdgeProperties{capacity, latency, index}, graph_).first);
    return index;
  };
  const EdgeIndex up = add_edge(below, above);
  return {.above = above, .up = up, .down = add_edge(above, below)};
}

std::string Wiring::name(Vertex vertex) const {
  const VertexProperties& v = graph_[vertex];
  const std::string number = std::to_string(v.number);
  const std::string part = std::to_string(v.part);
  switch (v.kind) {
    case VertexKind::gpu:
      return "gpu " + number;
    case VertexKind::gpu_links:
      return "gpu " + number + " links";
    case VertexKind::node_switch:
      return "node " + number + " switch";
    case VertexKind::pcie_switch:
      return "node " + number + " pcie " + part;
    case VertexKind::socket:
      return "node " + number + " socket " + part;
    case VertexKind::nic:
      return "node " + number + " nic " + part;
    case VertexKind::router:
      return "router " + number;
    case VertexKind::network_switch:
      break;
  }
  const std::string& layer = tier_names.at(static_cast<std::size_t>(v.tier));
  if (v.number < 0) return layer;  // a switch with a name of its own
  return layer + " " + number + (v.part < 0 ? "" : "." + part);
}

}  // namespace flotilla::topology
