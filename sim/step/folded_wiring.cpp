#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "sim/step/gpu_speed.h"
#include "sim/step/groups.h"
#include "sim/step/wiring.h"

namespace flotilla::step {

namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// The edges that representatives cross, as links. A representative stands for its likes, so it
// crosses a link as often as they cross the edge; what all of them do k times is once over a k-th
// of the width.
class WeightedLinks {
 public:
  WeightedLinks(const topology::Fabric& fabric, graph::OpGraph& graph)
      : fabric_(fabric), graph_(graph) {}

  // First every route is announced, then paths are made.
  void announce(const std::vector<CrowdedEdge>& edges) {
    for (const CrowdedEdge& e : edges) {
      std::int32_t& divisor = divisors_[e.edge];
      divisor = std::gcd(divisor, e.alike);
    }
  }

  // With a limit of its own, if that is finite.
  std::uint32_t path(
      const std::vector<CrowdedEdge>& edges,
      BytesPerSecond limit = BytesPerSecond(std::numeric_limits<double>::infinity())) {
    std::vector<graph::LinkId> links;
    if (std::isfinite(limit.value())) {
      links.push_back(graph_.add_link({"slowest member", limit, false}));
    }
    for (const CrowdedEdge& e : edges) {
      const std::int32_t divisor = divisors_.at(e.edge);
      links.insert(links.end(), static_cast<std::size_t>(e.alike / divisor), link(e.edge));
    }
    return graph_.add_path(std::move(links));
  }

 private:
  graph::LinkId link(topology::EdgeIndex edge) {
    const auto [entry, added] = links_.try_emplace(edge, -1);
    if (added) {
      const BytesPerSecond width =
          fabric_.edge(edge).capacity / static_cast<double>(divisors_.at(edge));
      entry->second = graph_.add_link({"edge " + std::to_string(edge), width, true});
    }
    return entry->second;
  }

  const topology::Fabric& fabric_;
  graph::OpGraph& graph_;
  std::map<topology::EdgeIndex, std::int32_t> divisors_;
  std::map<topology::EdgeIndex, graph::LinkId> links_;
};

class FoldedWiring : public Wiring {
 public:
  FoldedWiring(const config::Scenario& scenario, const layout::Mesh& mesh,
               const topology::Fabric& fabric, graph::OpGraph& graph)
      : mesh_(mesh), fabric_(fabric), links_(fabric, graph), speed_(scenario, mesh) {
    const std::int64_t stages = scenario.layout.pp;
    const std::vector<GroupSite> tensor = tensor_sites(scenario);
    const std::vector<GroupSite> data = data_sites(scenario, mesh, fabric);
    std::map<std::pair<std::int64_t, std::int64_t>, Handover> handovers;
    for (std::int64_t pp = 0; pp < stages; ++pp) {
      links_.announce(node_ports(pp));
      links_.announce(tensor[index(pp)].node);
      links_.announce(tensor[index(pp)].network);
      links_.announce(data[index(pp)].node);
      links_.announce(data[index(pp)].network);
      // To the next stage and back; the last one is the first one's neighbour (interleaving, ties).
      const std::int64_t next = (pp + 1) % stages;
      if (next == pp) continue;
      handovers[{pp, next}] = handover(mesh, fabric, pp, next);
      handovers[{next, pp}] = handover(mesh, fabric, next, pp);
    }
    for (const auto& [ends, h] : handovers) links_.announce(h.edges);
    for (std::int64_t pp = 0; pp < stages; ++pp) {
      tensor_rings_.push_back(ring(tensor[index(pp)]));
      data_rings_.push_back(ring(data[index(pp)]));
    }
    for (const auto& [ends, h] : handovers) {
      routes_[ends] = {
          .path = links_.path(h.edges), .latency = h.latency, .within_node = h.within_node};
    }
  }

  [[nodiscard]] std::int64_t lanes() const override { return 1; }
  [[nodiscard]] std::int64_t replicas() const override { return 1; }
  [[nodiscard]] std::int32_t rank(const layout::Coordinates& at) const override {
    return static_cast<std::int32_t>(at.pp);
  }

  [[nodiscard]] double speed(const layout::Coordinates& at) const override {
    return speed_.of_stage(at.pp);
  }

  const Ring& tensor_ring(const layout::Coordinates& of) override {
    return tensor_rings_[index(of.pp)];
  }
  const Ring& data_ring(const layout::Coordinates& of) override {
    return data_rings_[index(of.pp)];
  }
  const Route& route(const layout::Coordinates& from, const layout::Coordinates& to) override {
    return routes_.at({from.pp, to.pp});
  }

 private:
  [[nodiscard]] std::vector<CrowdedEdge> node_ports(std::int64_t pp) const {
    const layout::Rank gpu = representative(mesh_, pp);
    return {{fabric_.node_port_out(gpu), 1}, {fabric_.node_port_in(gpu), 1}};
  }

  // By pipeline rank. Where every pair of a node meets alike, the tensor group of another stage
  // lies as that of the first one does, behind ports and NICs of its own.
  [[nodiscard]] std::vector<GroupSite> tensor_sites(const config::Scenario& scenario) const {
    std::vector<GroupSite> sites{tensor_site(scenario, mesh_, fabric_)};
    for (std::int64_t pp = 1; pp < scenario.layout.pp; ++pp) {
      if (!fabric_.uniform_nodes()) {
        sites.push_back(tensor_site(scenario, mesh_, fabric_, pp));
        continue;
      }
      sites.push_back(sites.front());
      sites.back().node = node_ports(pp);
      std::vector<CrowdedEdge>& edges = sites.back().network;
      if (edges.empty()) continue;
      const layout::Rank gpu = representative(mesh_, pp);
      edges.front().edge = fabric_.network_port_out(gpu);
      edges.back().edge = fabric_.network_port_in(gpu);
    }
    return sites;
  }

  Ring ring(const GroupSite& site) {
    Ring ring{.placement = site.placement, .node_paths = {}, .network_paths = {}};
    if (site.placement.ranks_per_node > 1) {
      ring.node_paths.push_back(links_.path(site.node, site.node_limit));
    }
    if (!site.network.empty())
      ring.network_paths.push_back(links_.path(site.network, site.network_limit));
    return ring;
  }

  const layout::Mesh& mesh_;
  const topology::Fabric& fabric_;
  WeightedLinks links_;
  GpuSpeed speed_;
  std::vector<Ring> tensor_rings_;  // by pipeline rank
  std::vector<Ring> data_rings_;
  std::map<std::pair<std::int64_t, std::int64_t>, Route> routes_;
};

}  // namespace

std::unique_ptr<Wiring> make_folded_wiring(const config::Scenario& scenario,
                                           const layout::Mesh& mesh, const topology::Fabric& fabric,
                                           graph::OpGraph& graph) {
  return std::make_unique<FoldedWiring>(scenario, mesh, fabric, graph);
}

}  // namespace flotilla::step
