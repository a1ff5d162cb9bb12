// The machine as a directed graph (Boost.Graph): GPUs, the fabric inside their node, NICs, and the
// network between nodes. Edges carry the bandwidth that a large transfer attains.
//
// What a kind of node or network looks like, and which way its transfers take, is known by the
// classes behind NodeFabric and Network; this one puts them together.
#pragma once

#include <memory>
#include <vector>

#include "sim/config/degraded.h"
#include "sim/config/platform.h"
#include "sim/config/scenario.h"
#include "sim/topology/network.h"
#include "sim/topology/node_fabric.h"
#include "sim/topology/wiring.h"

namespace flotilla::topology {

class Fabric {
 public:
  explicit Fabric(const config::Platform& platform);
  // The platform as a job sees it: its rank r is GPU r of this fabric, wherever it was placed, and
  // degraded elements are. Throws config::InvalidInput when the scenario names an element that
  // there is not, or takes away all NICs of a node.
  explicit Fabric(const config::Scenario& scenario);

  [[nodiscard]] const Graph& graph() const { return wiring_.graph(); }
  [[nodiscard]] const Wiring& wiring() const { return wiring_; }
  [[nodiscard]] std::int64_t gpus() const { return std::ssize(devices_.gpus); }
  [[nodiscard]] std::int64_t nodes() const { return gpus() / devices_.gpus_per_node; }
  [[nodiscard]] std::int64_t node_of(Gpu gpu) const { return placed(gpu) / devices_.gpus_per_node; }
  [[nodiscard]] std::size_t edge_count() const { return wiring_.edge_count(); }
  [[nodiscard]] const EdgeProperties& edge(EdgeIndex index) const { return wiring_.edge(index); }

  // The edges that a transfer crosses, source first. Inside a node it stays on the node's fabric;
  // between nodes it takes the NIC of its GPU. How a GPU reaches its NIC is part of it where the
  // platform describes the host's PCIe; otherwise the route starts at the NIC.
  // Empty for a transfer of a GPU to itself. Precondition: both GPUs exist; a platform without NICs
  // is a single node.
  [[nodiscard]] Path route(Gpu from, Gpu to) const;

  // The edges between a GPU and the fabric of its node, and between its NIC and the network.
  [[nodiscard]] EdgeIndex node_port_out(Gpu gpu) const { return node_->port(placed(gpu)).up; }
  [[nodiscard]] EdgeIndex node_port_in(Gpu gpu) const { return node_->port(placed(gpu)).down; }
  [[nodiscard]] EdgeIndex network_port_out(Gpu gpu) const { return network_->port(nic_of(gpu)).up; }
  [[nodiscard]] EdgeIndex network_port_in(Gpu gpu) const {
    return network_->port(nic_of(gpu)).down;
  }
  // GPUs that share one NIC, as the platform was built.
  [[nodiscard]] std::int64_t gpus_per_nic() const { return gpus_per_nic_; }
  // GPUs that share the NIC of this one: more than that where a dead NIC left its GPUs to it.
  [[nodiscard]] std::int64_t nic_sharers(Gpu gpu) const;
  [[nodiscard]] Nic nic_of(Gpu gpu) const { return nic_of_gpu_[at(placed(gpu))]; }

  // Null when the platform has no NICs.
  [[nodiscard]] const Network* network() const { return network_.get(); }
  [[nodiscard]] const NodeFabric& node_fabric() const { return *node_; }
  [[nodiscard]] const Devices& devices() const { return devices_; }
  // Links that join two GPUs of one node directly; nothing when nodes are no meshes of pairs.
  [[nodiscard]] std::optional<std::int64_t> direct_links(Gpu a, Gpu b) const {
    return node_->direct_links(placed(a), placed(b));
  }
  // Of the direct links among these GPUs, what the most degraded one has left of its bandwidth.
  [[nodiscard]] double slowest_direct_link(const std::vector<Gpu>& gpus) const;
  // True when every pair of GPUs of a node meets at the rate of their ports.
  [[nodiscard]] bool uniform_nodes() const { return uniform_nodes_; }

 private:
  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
  [[nodiscard]] Gpu placed(Gpu gpu) const {
    return at(gpu) < placement_.size() ? placement_[at(gpu)] : gpu;
  }
  void add_devices(const config::Platform& platform);
  void assign_nics(const config::Node& node);
  void apply(const config::Degraded& degraded, const config::Platform& platform);
  void bury_nic(const config::Degraded& degraded, const config::Node& node);

  Wiring wiring_;
  Devices devices_;
  std::unique_ptr<NodeFabric> node_;
  std::unique_ptr<Network> network_;
  std::vector<Nic> nic_of_gpu_;          // as the NICs are now
  std::vector<std::int64_t> nic_alive_;  // by NIC of the graph: adapters of it that work
  std::vector<std::int64_t> nic_users_;  // by NIC of the graph: GPUs
  std::vector<Gpu> placement_;           // by rank; empty: packed
  std::int64_t gpus_per_nic_ = 1;
  std::int64_t adapters_per_nic_ = 1;  // NICs of one GPU are one vertex
  bool uniform_nodes_ = true;
};

}  // namespace flotilla::topology
