// Nodes whose GPUs and NICs meet over the host's PCIe: switches below sockets.
#pragma once

#include "sim/topology/node_fabric.h"

namespace flotilla::topology {

class PcieNodes : public NodeFabric {
 public:
  PcieNodes(const config::Platform& platform, const Devices& devices, Wiring& wiring);

  [[nodiscard]] const Duplex& port(Gpu gpu) const override { return gpus_.port[at(gpu)]; }
  void append_route(Gpu from, Gpu to, Path& path) const override;
  void append_to_nic(Gpu from, Nic to, Path& path) const override;
  void append_from_nic(Nic from, Gpu to, Path& path) const override;

 private:
  // GPUs or NICs: where each hangs.
  struct Ports {
    std::vector<Duplex> port;        // by device
    std::vector<std::int64_t> leaf;  // its switch, or its socket when there are no switches
  };

  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
  void add_node(std::int64_t node, Wiring& wiring);
  Ports attach(const std::vector<Vertex>& devices, std::int64_t per_node, Wiring& wiring) const;
  void append(const Duplex& from, std::int64_t from_leaf, const Duplex& to, std::int64_t to_leaf,
              Path& path) const;
  [[nodiscard]] std::int64_t socket_of(std::int64_t leaf) const {
    return leaf / leaves_per_socket_;
  }
  [[nodiscard]] EdgeIndex between(std::int64_t from, std::int64_t to) const;

  config::PcieTree tree_;
  std::int64_t leaves_per_node_ = 1;
  std::int64_t leaves_per_socket_ = 1;
  std::vector<Vertex> leaf_;          // of all nodes
  std::vector<Duplex> uplink_;        // by leaf; empty when leaves are sockets
  std::vector<Duplex> interconnect_;  // by node and pair of its sockets
  Ports gpus_;
  Ports nics_;
};

}  // namespace flotilla::topology
