#include "sim/topology/node_fabric.h"

#include "sim/topology/mesh_nodes.h"
#include "sim/topology/pcie_nodes.h"

namespace flotilla::topology {

namespace {

// Every GPU has a port into one switch. It joins all pairs at the rate of their ports, which also
// stands for a mesh that is the same for every pair.
class PortNodes : public NodeFabric {
 public:
  PortNodes(const config::Platform& platform, const Devices& devices, Wiring& wiring) {
    const config::Link& link = platform.node.link;
    port_.reserve(devices.gpus.size());
    for (std::int64_t node = 0; node < platform.nodes; ++node) {
      const Vertex hub = wiring.add_vertex({.kind = VertexKind::node_switch, .number = node});
      for (std::int64_t g = 0; g < devices.gpus_per_node; ++g) {
        const Vertex gpu = devices.gpus[port_.size()];
        port_.push_back(wiring.join(gpu, hub, link.attained(), link.latency / 2));
      }
    }
  }

  [[nodiscard]] const Duplex& port(Gpu gpu) const override {
    return port_[static_cast<std::size_t>(gpu)];
  }
  void append_route(Gpu from, Gpu to, Path& path) const override {
    path.push_back(port(from).up);
    path.push_back(port(to).down);
  }

 private:
  std::vector<Duplex> port_;  // by GPU
};

}  // namespace

std::unique_ptr<NodeFabric> make_node_fabric(const config::Platform& platform,
                                             const Devices& devices, Wiring& wiring) {
  const config::Node& node = platform.node;
  if (!node.mesh.empty()) return std::make_unique<MeshNodes>(platform, devices, wiring);
  if (node.pcie) return std::make_unique<PcieNodes>(platform, devices, wiring);
  return std::make_unique<PortNodes>(platform, devices, wiring);
}

}  // namespace flotilla::topology
