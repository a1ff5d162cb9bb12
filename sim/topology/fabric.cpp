#include "sim/topology/fabric.h"

#include <algorithm>

#include "sim/config/problem.h"
#include "sim/topology/find_link.h"

namespace flotilla::topology {

Fabric::Fabric(const config::Platform& platform) {
  const config::Node& node = platform.node;
  add_devices(platform);
  node_ = make_node_fabric(platform, devices_, wiring_);
  uniform_nodes_ = node.mesh.empty() && !node.pcie;
  if (devices_.nics_per_node == 0) return;
  assign_nics(node);
  const auto adapters =
      static_cast<double>(node.nics) / static_cast<double>(devices_.nics_per_node);
  network_ = make_network(platform,
                          {.vertices = devices_.nics,
                           .per_node = devices_.nics_per_node,
                           .rate = node.nic.attained() * adapters,
                           .latency = node.nic.latency / 2},
                          wiring_);
}

Fabric::Fabric(const config::Scenario& scenario) : Fabric(scenario.platform) {
  placement_ = scenario.layout.placement;
  for (const config::Degraded& degraded : scenario.degraded) apply(degraded, scenario.platform);
}

void Fabric::add_devices(const config::Platform& platform) {
  const config::Node& node = platform.node;
  devices_.gpus_per_node = node.gpus;
  devices_.nics_per_node = node.nic_of_gpu.empty() ? std::min(node.nics, node.gpus) : node.nics;
  for (std::int64_t n = 0; n < platform.nodes; ++n) {
    for (std::int64_t g = 0; g < node.gpus; ++g) {
      devices_.gpus.push_back(
          wiring_.add_vertex({.kind = VertexKind::gpu, .number = n * node.gpus + g}));
    }
    for (std::int64_t k = 0; k < devices_.nics_per_node; ++k) {
      devices_.nics.push_back(wiring_.add_vertex(
          {.kind = VertexKind::nic, .number = n, .part = static_cast<std::int32_t>(k)}));
    }
  }
}

void Fabric::assign_nics(const config::Node& node) {
  const std::int64_t nics = devices_.nics_per_node;
  adapters_per_nic_ = node.nics / nics;
  nic_alive_.assign(devices_.nics.size(), adapters_per_nic_);
  nic_users_.assign(devices_.nics.size(), 0);
  nic_of_gpu_.reserve(devices_.gpus.size());
  for (Gpu gpu = 0; gpu < gpus(); ++gpu) {
    const std::int64_t local = gpu % node.gpus;
    const std::int64_t nic =
        node.nic_of_gpu.empty() ? local * nics / node.gpus : node.nic_of_gpu[at(local)];
    nic_of_gpu_.push_back(gpu / node.gpus * nics + nic);
    ++nic_users_[at(nic_of_gpu_.back())];
  }
  gpus_per_nic_ = *std::max_element(nic_users_.begin(), nic_users_.end());
}

std::int64_t Fabric::nic_sharers(Gpu gpu) const { return nic_users_[at(nic_of(gpu))]; }

Path Fabric::route(Gpu from, Gpu to) const {
  Path path;
  if (from == to) return path;
  const Gpu a = placed(from);
  const Gpu b = placed(to);
  if (node_of(from) == node_of(to)) {
    node_->append_route(a, b, path);
    return path;
  }
  node_->append_to_nic(a, nic_of(from), path);
  network_->append_route(nic_of(from), nic_of(to), path);
  node_->append_from_nic(nic_of(to), b, path);
  return path;
}

double Fabric::slowest_direct_link(const std::vector<Gpu>& gpus) const {
  double left = 1;
  for (const Gpu a : gpus) {
    for (const Gpu b : gpus) {
      const std::int64_t links = a == b ? 0 : direct_links(a, b).value_or(0);
      if (links == 0) continue;
      const Path path = route(a, b);  // port, the links between both, port
      const BytesPerSecond whole = node_->direct_link_rate() * static_cast<double>(links);
      left = std::min(left, edge(path[1]).capacity / whole);
    }
  }
  return left;
}

void Fabric::apply(const config::Degraded& degraded, const config::Platform& platform) {
  switch (degraded.element) {
    case config::Degraded::Element::gpu:
      break;  // computes slowly; its links are well
    case config::Degraded::Element::nic:
      bury_nic(degraded, platform.node);
      break;
    case config::Degraded::Element::link:
      for (const EdgeIndex e : find_link(wiring_, degraded)) {
        wiring_.edge(e).capacity *= degraded.bandwidth;
      }
      break;
  }
}

// The GPUs of a dead NIC go to the next NIC of their node that works. Where one GPU has several,
// as one vertex, it loses the share of this one.
void Fabric::bury_nic(const config::Degraded& degraded, const config::Node& node) {
  const std::int64_t per_node = devices_.nics_per_node;
  const Nic first = degraded.node * per_node;
  const Nic nic = first + degraded.nic / adapters_per_nic_;
  const std::int64_t alive = --nic_alive_[at(nic)];
  if (alive > 0) {
    const double left = static_cast<double>(alive) / static_cast<double>(alive + 1);
    wiring_.edge(network_->port(nic).up).capacity *= left;
    wiring_.edge(network_->port(nic).down).capacity *= left;
    return;
  }
  std::int64_t next = 1;
  while (next < per_node && nic_alive_[at(first + (nic - first + next) % per_node)] == 0) ++next;
  if (next == per_node) {
    throw config::InvalidInput(
        {config::make_problem(degraded.place, degraded.path,
                              "this is the last NIC of node " + std::to_string(degraded.node) +
                                  ": its GPUs are cut off")});
  }
  const Nic heir = first + (nic - first + next) % per_node;
  for (Gpu gpu = degraded.node * node.gpus; gpu < (degraded.node + 1) * node.gpus; ++gpu) {
    if (nic_of_gpu_[at(gpu)] != nic) continue;
    nic_of_gpu_[at(gpu)] = heir;
    --nic_users_[at(nic)];
    ++nic_users_[at(heir)];
  }
}

}  // namespace flotilla::topology
