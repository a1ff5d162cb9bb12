// The graph of the machine while it is wired, and afterwards: vertices, edges, and their names.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/units/quantity.h"

namespace flotilla::topology {

enum class VertexKind : std::uint8_t {
  gpu,
  node_switch,     // what joins the GPUs of a node
  gpu_links,       // the direct links of a GPU of a mesh, all together
  pcie_switch,     //
  socket,          //
  nic,             //
  network_switch,  // of a layer; several that share their load evenly are one vertex
  router           // of a dragonfly or a torus
};

struct VertexProperties {
  VertexKind kind = VertexKind::gpu;
  std::int32_t tier = -1;   // network switches: layer, innermost 0
  std::int64_t number = 0;  // among its kind and tier; of a NIC, socket, PCIe switch: its node
  std::int32_t part = -1;  // NIC, socket, PCIe switch: number in its node; one of parallel switches
};

struct EdgeProperties {
  BytesPerSecond capacity;  // attainable, one direction
  Seconds latency;
  std::int32_t index = 0;  // dense, for tables by edge
};

using Gpu = std::int64_t;
using Nic = std::int64_t;  // NICs of the whole machine, node by node
using EdgeIndex = std::int32_t;
using Path = std::vector<EdgeIndex>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, VertexProperties,
                                    EdgeProperties>;
using Vertex = Graph::vertex_descriptor;

// A link as two edges, seen from its lower end.
struct Duplex {
  Vertex above = 0;
  EdgeIndex up = -1;
  EdgeIndex down = -1;
};

class Wiring {
 public:
  Vertex add_vertex(VertexProperties properties);
  Duplex join(Vertex below, Vertex above, BytesPerSecond capacity, Seconds latency);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::size_t edge_count() const { return edges_.size(); }
  [[nodiscard]] const EdgeProperties& edge(EdgeIndex index) const {
    return graph_[edges_[static_cast<std::size_t>(index)]];
  }
  EdgeProperties& edge(EdgeIndex index) { return graph_[edges_[static_cast<std::size_t>(index)]]; }
  [[nodiscard]] Vertex source(EdgeIndex index) const {
    return boost::source(edges_[static_cast<std::size_t>(index)], graph_);
  }
  [[nodiscard]] Vertex target(EdgeIndex index) const {
    return boost::target(edges_[static_cast<std::size_t>(index)], graph_);
  }

  // Names of the layers of network switches, or of the switches of a list.
  std::vector<std::string> tier_names;
  // "gpu 12", "node 3 nic 1", "pod 2", "spine 0.3" (the fourth of parallel switches).
  [[nodiscard]] std::string name(Vertex vertex) const;

 private:
  Graph graph_;
  std::vector<Graph::edge_descriptor> edges_;
};

}  // namespace flotilla::topology
