#include <cmath>
#include <map>
#include <utility>

#include "sim/step/gpu_speed.h"
#include "sim/step/groups.h"
#include "sim/step/wiring.h"

namespace flotilla::step {

namespace {

using layout::Coordinates;
using layout::Rank;

class FullWiring : public Wiring {
 public:
  FullWiring(const config::Scenario& scenario, const layout::Mesh& mesh,
             const topology::Fabric& fabric, graph::OpGraph& graph)
      : scenario_(scenario),
        mesh_(mesh),
        fabric_(fabric),
        graph_(graph),
        links_(fabric.edge_count(), -1),
        tensor_site_(tensor_site(scenario, mesh, fabric)),
        data_sites_(data_sites(scenario, mesh, fabric)),
        speed_(scenario, mesh) {}

  [[nodiscard]] std::int64_t lanes() const override { return scenario_.layout.tp; }
  [[nodiscard]] std::int64_t replicas() const override { return scenario_.layout.dp; }
  [[nodiscard]] std::int32_t rank(const Coordinates& at) const override {
    return static_cast<std::int32_t>(mesh_.rank(at));
  }

  [[nodiscard]] double speed(const layout::Coordinates& at) const override {
    return speed_.of(mesh_.rank(at));
  }

  const Ring& tensor_ring(const Coordinates& of) override {
    return ring(tensor_rings_, mesh_.tp_group(of), tensor_site_.placement);
  }
  const Ring& data_ring(const Coordinates& of) override {
    return ring(data_rings_, mesh_.dp_group(of),
                data_sites_[static_cast<std::size_t>(of.pp)].placement);
  }

  const Route& route(const Coordinates& from, const Coordinates& to) override {
    const auto key = std::pair(mesh_.rank(from), mesh_.rank(to));
    if (const auto found = routes_.find(key); found != routes_.end()) return found->second;
    const topology::Transfer transfer{key.first, key.second};
    const Route route{.path = path(transfer),
                      .latency = topology::route_latency(fabric_, transfer),
                      .within_node = fabric_.node_of(key.first) == fabric_.node_of(key.second)};
    return routes_.emplace(key, route).first->second;
  }

 private:
  using Rings = std::map<Rank, Ring>;  // by the group's first rank

  std::uint32_t path(const topology::Transfer& transfer) {
    std::vector<graph::LinkId> links;
    for (const topology::EdgeIndex e : fabric_.route(transfer.from, transfer.to)) {
      if (std::isfinite(fabric_.edge(e).capacity.value())) links.push_back(link(e));
    }
    return graph_.add_path(std::move(links));
  }

  // Rings in a mesh run over all links of a member at once, not only over those to its neighbour.
  [[nodiscard]] bool on_direct_links(const topology::Transfer& hop,
                                     const collective::Placement& placement) const {
    return fabric_.direct_links(hop.from, hop.to).has_value() &&
           placement.node_kind == scenario_.platform.node.link.kind;
  }

  std::uint32_t direct_path(const topology::Transfer& hop, const collective::Placement& placement) {
    return graph_.add_path({link(fabric_.node_port_out(hop.from)),
                            link(fabric_.node_port_in(hop.to)),
                            graph_.add_link({"direct links", placement.node_rate, false})});
  }

  graph::LinkId link(topology::EdgeIndex edge) {
    graph::LinkId& link = links_[static_cast<std::size_t>(edge)];
    if (link < 0) {
      link = graph_.add_link({"edge " + std::to_string(edge), fabric_.edge(edge).capacity, true});
    }
    return link;
  }

  const Ring& ring(Rings& rings, const std::vector<Rank>& group,
                   const collective::Placement& placement) {
    const auto [entry, added] = rings.try_emplace(group.front());
    Ring& ring = entry->second;
    if (!added) return ring;
    ring.placement = placement;
    for (const topology::Transfer& hop : hops_within_nodes(group, fabric_)) {
      ring.node_paths.push_back(on_direct_links(hop, placement) ? direct_path(hop, placement)
                                                                : path(hop));
    }
    for (const topology::Transfer& hop : hops_between_nodes(group, fabric_)) {
      ring.network_paths.push_back(path(hop));
    }
    return ring;
  }

  const config::Scenario& scenario_;
  const layout::Mesh& mesh_;
  const topology::Fabric& fabric_;
  graph::OpGraph& graph_;
  std::vector<graph::LinkId> links_;  // by edge of the fabric; -1: not used so far
  GroupSite tensor_site_;
  std::vector<GroupSite> data_sites_;  // by pipeline rank
  GpuSpeed speed_;
  Rings tensor_rings_;
  Rings data_rings_;
  std::map<std::pair<Rank, Rank>, Route> routes_;
};

}  // namespace

std::unique_ptr<Wiring> make_full_wiring(const config::Scenario& scenario, const layout::Mesh& mesh,
                                         const topology::Fabric& fabric, graph::OpGraph& graph) {
  return std::make_unique<FullWiring>(scenario, mesh, fabric, graph);
}

}  // namespace flotilla::step
