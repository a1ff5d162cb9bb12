// What is inside the nodes: how GPUs of one node reach each other, and their NICs.
#pragma once

#include <memory>
#include <optional>

#include "sim/config/platform.h"
#include "sim/topology/wiring.h"

namespace flotilla::topology {

class NodeFabric {
 public:
  virtual ~NodeFabric() = default;
  // The link between a GPU and the fabric of its node.
  [[nodiscard]] virtual const Duplex& port(Gpu gpu) const = 0;
  // The edges between two different GPUs of one node.
  virtual void append_route(Gpu from, Gpu to, Path& path) const = 0;
  // The edges between a GPU and a NIC of its node; none where every NIC has a way of its own.
  virtual void append_to_nic(Gpu, Nic, Path&) const {}
  virtual void append_from_nic(Nic, Gpu, Path&) const {}
  // Direct links that join two GPUs of a mesh; nothing when the node is no mesh of pairs.
  [[nodiscard]] virtual std::optional<std::int64_t> direct_links(Gpu, Gpu) const { return {}; }
  [[nodiscard]] virtual BytesPerSecond direct_link_rate() const { return {}; }
};

// The GPUs and NICs that stand in the nodes already, node by node.
struct Devices {
  std::vector<Vertex> gpus;
  std::vector<Vertex> nics;
  std::int64_t gpus_per_node = 1;
  std::int64_t nics_per_node = 0;
};

std::unique_ptr<NodeFabric> make_node_fabric(const config::Platform& platform,
                                             const Devices& devices, Wiring& wiring);

}  // namespace flotilla::topology
