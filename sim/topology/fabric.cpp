#include "sim/topology/fabric.h"

#include <algorithm>

namespace flotilla::topology {

namespace {

BytesPerSecond attained(const config::Link& link) { return link.bandwidth * link.efficiency; }

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace

Fabric::Fabric(const config::Platform& platform)
    : gpus_(platform.gpus()), gpus_per_node_(platform.node.gpus) {
  if (platform.node.nics > 0) {
    nics_per_node_ = std::min(platform.node.nics, platform.node.gpus);
    gpus_per_nic_ = platform.node.gpus / nics_per_node_;
  }
  build_nodes(platform);
  if (nics_per_node_ > 0) build_network(platform);
}

Fabric::Vertex Fabric::add_vertex(VertexProperties properties) {
  uplink_.emplace_back();
  return boost::add_vertex(properties, graph_);
}

EdgeIndex Fabric::add_edge(Vertex from, Vertex to, BytesPerSecond capacity, Seconds latency) {
  const auto index = static_cast<EdgeIndex>(edges_.size());
  edges_.push_back(
      boost::add_edge(from, to, EdgeProperties{capacity, latency, index}, graph_).first);
  return index;
}

Fabric::Uplink Fabric::join(Vertex below, Vertex above, BytesPerSecond capacity, Seconds latency) {
  return {.above = above,
          .up = add_edge(below, above, capacity, latency),
          .down = add_edge(above, below, capacity, latency)};
}

void Fabric::build_nodes(const config::Platform& platform) {
  const config::Link& link = platform.node.link;
  for (std::int64_t node = 0; node < platform.nodes; ++node) {
    const Vertex hub = add_vertex({.kind = VertexKind::node_switch, .number = node});
    for (std::int64_t g = 0; g < gpus_per_node_; ++g) {
      const Vertex gpu = add_vertex({.kind = VertexKind::gpu, .number = node * gpus_per_node_ + g});
      node_port_.push_back(join(gpu, hub, attained(link), link.latency / 2));
    }
  }
}

void Fabric::build_network(const config::Platform& platform) {
  const config::Node& node = platform.node;
  const BytesPerSecond nic =
      attained(node.nic) * (static_cast<double>(node.nics) / static_cast<double>(nics_per_node_));
  const BytesPerSecond node_total = attained(node.nic) * static_cast<double>(node.nics);

  // Innermost layer: one vertex per group of nodes, NICs below it.
  std::vector<config::Tier> tiers = platform.tiers;
  if (tiers.empty() || tiers.back().nodes < platform.nodes) {
    tiers.push_back(
        {.name = "core", .nodes = platform.nodes, .oversubscription = 1, .latency = {}});
  }
  std::vector<Vertex> below;
  std::int64_t below_nodes = 1;
  double below_oversubscription = 1;
  Seconds below_latency;
  for (std::size_t t = 0; t < tiers.size(); ++t) {
    const std::int64_t groups = (platform.nodes + tiers[t].nodes - 1) / tiers[t].nodes;
    std::vector<Vertex> layer;
    for (std::int64_t g = 0; g < groups; ++g) {
      layer.push_back(add_vertex(
          {.kind = VertexKind::network_switch, .tier = static_cast<std::int32_t>(t), .number = g}));
    }
    if (t == 0) {
      for (std::int64_t n = 0; n < platform.nodes * nics_per_node_; ++n) {
        const Vertex port = add_vertex({.kind = VertexKind::nic, .number = n});
        const std::int64_t group = n / nics_per_node_ / tiers[t].nodes;
        network_port_.push_back(
            join(port, layer[at(group)], nic, node.nic.latency / 2 + tiers[t].latency / 2));
      }
    } else {
      const BytesPerSecond width =
          node_total * (static_cast<double>(below_nodes) / below_oversubscription);
      for (std::size_t g = 0; g < below.size(); ++g) {
        const std::int64_t group = static_cast<std::int64_t>(g) * below_nodes / tiers[t].nodes;
        uplink_[below[g]] =
            join(below[g], layer[at(group)], width, below_latency / 2 + tiers[t].latency / 2);
      }
    }
    below = std::move(layer);
    below_nodes = tiers[t].nodes;
    below_oversubscription = tiers[t].oversubscription;
    below_latency = tiers[t].latency;
  }
}

const EdgeProperties& Fabric::edge(EdgeIndex index) const { return graph_[edges_[at(index)]]; }

std::vector<EdgeIndex> Fabric::route(Gpu from, Gpu to) const {
  if (from == to) return {};
  if (node_of(from) == node_of(to)) return {node_port_out(from), node_port_in(to)};
  std::vector<EdgeIndex> up{network_port_out(from)};
  std::vector<EdgeIndex> down{network_port_in(to)};
  Vertex a = network_port_[at(from / gpus_per_nic_)].above;
  Vertex b = network_port_[at(to / gpus_per_nic_)].above;
  while (a != b) {
    up.push_back(uplink_[a].up);
    down.push_back(uplink_[b].down);
    a = uplink_[a].above;
    b = uplink_[b].above;
  }
  up.insert(up.end(), down.rbegin(), down.rend());
  return up;
}

EdgeIndex Fabric::node_port_out(Gpu gpu) const { return node_port_[at(gpu)].up; }
EdgeIndex Fabric::node_port_in(Gpu gpu) const { return node_port_[at(gpu)].down; }
EdgeIndex Fabric::network_port_out(Gpu gpu) const {
  return network_port_[at(gpu / gpus_per_nic_)].up;
}
EdgeIndex Fabric::network_port_in(Gpu gpu) const {
  return network_port_[at(gpu / gpus_per_nic_)].down;
}

}  // namespace flotilla::topology
