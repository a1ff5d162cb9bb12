// The machine as a directed graph (Boost.Graph): GPUs, the fabric inside their node, NICs, and the
// layers of switches between nodes. Edges carry the bandwidth that a large transfer attains.
//
// A switch layer of the network is one vertex per group of nodes that it joins, with an uplink as
// wide as its oversubscription leaves it; the switches of one layer are taken to share their load
// evenly.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/platform.h"
#include "sim/units/quantity.h"

namespace flotilla::topology {

enum class VertexKind : std::uint8_t { gpu, node_switch, nic, network_switch };

struct VertexProperties {
  VertexKind kind = VertexKind::gpu;
  std::int32_t tier = -1;   // network switches: index of Platform::tiers; the core is one above
  std::int64_t number = 0;  // among the vertices of its kind and tier
};

struct EdgeProperties {
  BytesPerSecond capacity;  // attainable, one direction
  Seconds latency;
  std::int32_t index = 0;  // dense, for tables by edge
};

using Gpu = std::int64_t;
using EdgeIndex = std::int32_t;

class Fabric {
 public:
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, VertexProperties,
                                      EdgeProperties>;

  explicit Fabric(const config::Platform& platform);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::int64_t gpus() const { return gpus_; }
  [[nodiscard]] std::int64_t node_of(Gpu gpu) const { return gpu / gpus_per_node_; }
  [[nodiscard]] std::size_t edge_count() const { return edges_.size(); }
  [[nodiscard]] const EdgeProperties& edge(EdgeIndex index) const;

  // The edges that a transfer crosses, source first. Inside a node it stays on the node's fabric;
  // between nodes it takes the NIC of its GPU and the lowest layer of switches that joins both.
  // Empty for a transfer of a GPU to itself. Precondition: both GPUs exist; a platform without NICs
  // is a single node.
  [[nodiscard]] std::vector<EdgeIndex> route(Gpu from, Gpu to) const;

  // The edges between a GPU and the fabric of its node, and between its NIC and the network.
  [[nodiscard]] EdgeIndex node_port_out(Gpu gpu) const;
  [[nodiscard]] EdgeIndex node_port_in(Gpu gpu) const;
  [[nodiscard]] EdgeIndex network_port_out(Gpu gpu) const;
  [[nodiscard]] EdgeIndex network_port_in(Gpu gpu) const;
  // GPUs that share one NIC.
  [[nodiscard]] std::int64_t gpus_per_nic() const { return gpus_per_nic_; }

 private:
  using Vertex = Graph::vertex_descriptor;
  // Every vertex but the topmost has one way up: the fabric is a tree seen from its GPUs.
  struct Uplink {
    Vertex above = 0;
    EdgeIndex up = -1;
    EdgeIndex down = -1;
  };

  Vertex add_vertex(VertexProperties properties);
  EdgeIndex add_edge(Vertex from, Vertex to, BytesPerSecond capacity, Seconds latency);
  Uplink join(Vertex below, Vertex above, BytesPerSecond capacity, Seconds latency);
  void build_nodes(const config::Platform& platform);
  void build_network(const config::Platform& platform);

  Graph graph_;
  std::vector<Graph::edge_descriptor> edges_;
  std::vector<Uplink> node_port_;     // by GPU
  std::vector<Uplink> network_port_;  // by NIC
  std::vector<Uplink> uplink_;        // by vertex, of network switches
  std::int64_t gpus_ = 0;
  std::int64_t gpus_per_node_ = 1;
  std::int64_t nics_per_node_ = 0;  // vertices; NICs of one GPU are one vertex
  std::int64_t gpus_per_nic_ = 1;
};

}  // namespace flotilla::topology
