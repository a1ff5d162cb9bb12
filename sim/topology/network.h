// The network between the nodes: which way a transfer takes from one NIC to another.
#pragma once

#include <memory>

#include "sim/config/platform.h"
#include "sim/topology/wiring.h"

namespace flotilla::topology {

// The NICs that stand in the nodes already, node by node.
struct NicRow {
  std::vector<Vertex> vertices;
  std::int64_t per_node = 1;
  BytesPerSecond rate;  // of one
  Seconds latency;      // half of a NIC's: the other half is the receiver's
};

class Network {
 public:
  virtual ~Network() = default;
  // The link between a NIC and the switch that it hangs on.
  [[nodiscard]] const Duplex& port(Nic nic) const { return port_[static_cast<std::size_t>(nic)]; }
  // The edges between the ports of two different NICs, found from the structure: no tables of all
  // pairs. The way back has as many edges.
  virtual void append_route(Nic from, Nic to, Path& path) const = 0;
  // The half of the machine that a node belongs to when it is cut where it is weakest by design.
  [[nodiscard]] virtual bool in_first_half(std::int64_t node, std::int64_t nodes) const {
    return node < nodes / 2;
  }

 protected:
  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
  std::vector<Duplex> port_;  // by NIC
};

std::unique_ptr<Network> make_network(const config::Platform& platform, const NicRow& nics,
                                      Wiring& wiring);

}  // namespace flotilla::topology
