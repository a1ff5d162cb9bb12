// Nodes whose GPUs are joined pair by pair: NVLink bridges, the hybrid cube mesh of a DGX-1. A pair
// without a link of its own meets over PCIe.
#pragma once

#include "sim/topology/pcie_nodes.h"

namespace flotilla::topology {

class MeshNodes : public NodeFabric {
 public:
  MeshNodes(const config::Platform& platform, const Devices& devices, Wiring& wiring);

  [[nodiscard]] const Duplex& port(Gpu gpu) const override {
    return port_[static_cast<std::size_t>(gpu)];
  }
  void append_route(Gpu from, Gpu to, Path& path) const override;
  void append_to_nic(Gpu from, Nic to, Path& path) const override;
  void append_from_nic(Nic from, Gpu to, Path& path) const override;
  [[nodiscard]] std::optional<std::int64_t> direct_links(Gpu a, Gpu b) const override;
  [[nodiscard]] BytesPerSecond direct_link_rate() const override { return link_rate_; }

 private:
  [[nodiscard]] std::size_t pair(Gpu a, Gpu b) const;

  std::int64_t gpus_per_node_;
  BytesPerSecond link_rate_;
  std::vector<std::int64_t> links_;    // by pair of GPUs of a node, both ways
  std::vector<Duplex> port_;           // by GPU: all of its links together
  std::vector<std::int64_t> joining_;  // by pair of GPUs of a node: its place among the joined ones
  std::int64_t joined_ = 0;            // pairs of a node that are joined
  std::vector<Duplex> direct_;         // by node and joined pair, from the lower GPU
  std::unique_ptr<PcieNodes> host_;
};

}  // namespace flotilla::topology
