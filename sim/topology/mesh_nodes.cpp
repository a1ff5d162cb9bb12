#include "sim/topology/mesh_nodes.h"

#include <algorithm>

namespace flotilla::topology {

MeshNodes::MeshNodes(const config::Platform& platform, const Devices& devices, Wiring& wiring)
    : gpus_per_node_(devices.gpus_per_node),
      links_(static_cast<std::size_t>(gpus_per_node_ * gpus_per_node_), 0),
      joining_(links_.size(), -1) {
  const config::Node& node = platform.node;
  std::vector<std::int64_t> links_of(static_cast<std::size_t>(gpus_per_node_), 0);
  for (const config::MeshPair& p : node.mesh) {
    links_[pair(p.a, p.b)] = links_[pair(p.b, p.a)] = p.links;
    joining_[pair(p.a, p.b)] = joining_[pair(p.b, p.a)] = joined_++;
    links_of[static_cast<std::size_t>(p.a)] += p.links;
    links_of[static_cast<std::size_t>(p.b)] += p.links;
  }
  // node.link is the port of a GPU whose links are all in use.
  const auto most = *std::max_element(links_of.begin(), links_of.end());
  link_rate_ = node.link.attained() / static_cast<double>(most);
  std::vector<Vertex> ends;
  for (std::size_t g = 0; g < devices.gpus.size(); ++g) {
    ends.push_back(
        wiring.add_vertex({.kind = VertexKind::gpu_links, .number = static_cast<std::int64_t>(g)}));
    const auto links = links_of[g % static_cast<std::size_t>(gpus_per_node_)];
    // A GPU without links has a port that no route takes.
    port_.push_back(wiring.join(devices.gpus[g], ends.back(),
                                link_rate_ * static_cast<double>(std::max<std::int64_t>(links, 1)),
                                node.link.latency / 2));
  }
  for (std::int64_t n = 0; n < platform.nodes; ++n) {
    for (const config::MeshPair& p : node.mesh) {
      const auto [low, high] = std::minmax(p.a, p.b);
      direct_.push_back(wiring.join(ends[static_cast<std::size_t>(n * gpus_per_node_ + low)],
                                    ends[static_cast<std::size_t>(n * gpus_per_node_ + high)],
                                    link_rate_ * static_cast<double>(p.links), Seconds(0)));
    }
  }
  if (node.pcie) host_ = std::make_unique<PcieNodes>(platform, devices, wiring);
}

std::size_t MeshNodes::pair(Gpu a, Gpu b) const {
  return static_cast<std::size_t>(a % gpus_per_node_ * gpus_per_node_ + b % gpus_per_node_);
}

void MeshNodes::append_route(Gpu from, Gpu to, Path& path) const {
  const std::int64_t joining = joining_[pair(from, to)];
  if (joining < 0) {
    host_->append_route(from, to, path);
    return;
  }
  const Duplex& link = direct_[static_cast<std::size_t>(from / gpus_per_node_ * joined_ + joining)];
  path.push_back(port(from).up);
  path.push_back(from < to ? link.up : link.down);
  path.push_back(port(to).down);
}

void MeshNodes::append_to_nic(Gpu from, Nic to, Path& path) const {
  if (host_) host_->append_to_nic(from, to, path);
}

void MeshNodes::append_from_nic(Nic from, Gpu to, Path& path) const {
  if (host_) host_->append_from_nic(from, to, path);
}

std::optional<std::int64_t> MeshNodes::direct_links(Gpu a, Gpu b) const {
  return links_[pair(a, b)];
}

}  // namespace flotilla::topology
