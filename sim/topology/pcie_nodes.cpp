#include "sim/topology/pcie_nodes.h"

#include "sim/topology/pairs.h"

namespace flotilla::topology {

PcieNodes::PcieNodes(const config::Platform& platform, const Devices& devices, Wiring& wiring)
    : tree_(platform.node.pcie.value_or(config::PcieTree{})) {
  leaves_per_node_ = tree_.switches > 0 ? tree_.switches : tree_.sockets;
  leaves_per_socket_ = leaves_per_node_ / tree_.sockets;
  for (std::int64_t node = 0; node < platform.nodes; ++node) add_node(node, wiring);
  gpus_ = attach(devices.gpus, devices.gpus_per_node, wiring);
  nics_ = attach(devices.nics, devices.nics_per_node, wiring);
}

void PcieNodes::add_node(std::int64_t node, Wiring& wiring) {
  std::vector<Vertex> sockets;
  for (std::int64_t s = 0; s < tree_.sockets; ++s) {
    sockets.push_back(wiring.add_vertex(
        {.kind = VertexKind::socket, .number = node, .part = static_cast<std::int32_t>(s)}));
    for (std::size_t other = 0; other + 1 < sockets.size(); ++other) {
      interconnect_.push_back(wiring.join(sockets[other], sockets.back(),
                                          tree_.interconnect.attained(),
                                          tree_.interconnect.latency));
    }
  }
  if (tree_.switches == 0) {
    leaf_.insert(leaf_.end(), sockets.begin(), sockets.end());
    return;
  }
  for (std::int64_t k = 0; k < tree_.switches; ++k) {
    leaf_.push_back(wiring.add_vertex(
        {.kind = VertexKind::pcie_switch, .number = node, .part = static_cast<std::int32_t>(k)}));
    uplink_.push_back(wiring.join(leaf_.back(), sockets[at(k / leaves_per_socket_)],
                                  tree_.uplink.attained(), tree_.uplink.latency / 2));
  }
}

PcieNodes::Ports PcieNodes::attach(const std::vector<Vertex>& devices, std::int64_t per_node,
                                   Wiring& wiring) const {
  Ports ports;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const auto number = static_cast<std::int64_t>(d);
    const std::int64_t leaf =
        number / per_node * leaves_per_node_ + number % per_node * leaves_per_node_ / per_node;
    ports.leaf.push_back(leaf);
    ports.port.push_back(
        wiring.join(devices[d], leaf_[at(leaf)], tree_.link.attained(), tree_.link.latency / 2));
  }
  return ports;
}

// Sockets are numbered over all nodes.
EdgeIndex PcieNodes::between(std::int64_t from, std::int64_t to) const {
  const std::int64_t node = from / tree_.sockets;
  const std::int64_t pair = pair_index(from % tree_.sockets, to % tree_.sockets);
  const Duplex& link = interconnect_[at(node * pair_count(tree_.sockets) + pair)];
  return from < to ? link.up : link.down;
}

void PcieNodes::append(const Duplex& from, std::int64_t from_leaf, const Duplex& to,
                       std::int64_t to_leaf, Path& path) const {
  path.push_back(from.up);
  if (from_leaf != to_leaf) {
    const bool switches = !uplink_.empty();
    if (switches) path.push_back(uplink_[at(from_leaf)].up);
    if (socket_of(from_leaf) != socket_of(to_leaf)) {
      path.push_back(between(socket_of(from_leaf), socket_of(to_leaf)));
    }
    if (switches) path.push_back(uplink_[at(to_leaf)].down);
  }
  path.push_back(to.down);
}

void PcieNodes::append_route(Gpu from, Gpu to, Path& path) const {
  append(gpus_.port[at(from)], gpus_.leaf[at(from)], gpus_.port[at(to)], gpus_.leaf[at(to)], path);
}

void PcieNodes::append_to_nic(Gpu from, Nic to, Path& path) const {
  append(gpus_.port[at(from)], gpus_.leaf[at(from)], nics_.port[at(to)], nics_.leaf[at(to)], path);
}

void PcieNodes::append_from_nic(Nic from, Gpu to, Path& path) const {
  append(nics_.port[at(from)], nics_.leaf[at(from)], gpus_.port[at(to)], gpus_.leaf[at(to)], path);
}

}  // namespace flotilla::topology
