#include "sim/topology/cut.h"

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 loses track of the boost::optional inside Boost.Graph's edge iterator.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <algorithm>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <set>

namespace flotilla::topology {

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;

struct FlowEdge {
  double capacity = 0;
  double residual = 0;
  Traits::edge_descriptor reverse;
};
struct FlowVertex {
  Traits::edge_descriptor predecessor;
  boost::default_color_type color = boost::default_color_type();
  long distance = 0;
};
using FlowGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, FlowVertex, FlowEdge>;

// The machine as a flow problem.
class Flow {
 public:
  explicit Flow(const Fabric& fabric) : graph_(boost::num_vertices(fabric.graph()) + 2) {
    const Wiring& wiring = fabric.wiring();
    // Edges come in pairs of opposite directions (Wiring::join).
    for (std::size_t i = 0; i + 1 < fabric.edge_count(); i += 2) {
      const auto e = static_cast<EdgeIndex>(i);
      add(wiring.source(e), wiring.target(e), fabric.edge(e).capacity.value(),
          fabric.edge(e + 1).capacity.value());
    }
  }

  [[nodiscard]] std::size_t source() const { return boost::num_vertices(graph_) - 2; }
  [[nodiscard]] std::size_t sink() const { return boost::num_vertices(graph_) - 1; }

  void add(std::size_t from, std::size_t to, double forward, double backward) {
    const auto there = boost::add_edge(from, to, graph_).first;
    const auto back = boost::add_edge(to, from, graph_).first;
    graph_[there] = {forward, 0, back};
    graph_[back] = {backward, 0, there};
  }

  double maximum() {
    return boost::boykov_kolmogorov_max_flow(
        graph_, boost::get(&FlowEdge::capacity, graph_), boost::get(&FlowEdge::residual, graph_),
        boost::get(&FlowEdge::reverse, graph_), boost::get(&FlowVertex::predecessor, graph_),
        boost::get(&FlowVertex::color, graph_), boost::get(&FlowVertex::distance, graph_),
        boost::get(boost::vertex_index, graph_), source(), sink());
  }

 private:
  FlowGraph graph_;
};

}  // namespace

Bisection bisection(const Fabric& fabric) {
  Bisection cut;
  if (fabric.gpus() < 2) return cut;
  const Devices& devices = fabric.devices();
  const bool network = fabric.network() != nullptr && fabric.nodes() > 1;
  const auto in_first_half = [&](Gpu gpu) {
    return network ? fabric.network()->in_first_half(fabric.node_of(gpu), fabric.nodes())
                   : gpu < fabric.gpus() / 2;
  };
  Flow flow(fabric);
  // More than all GPUs can send, so that neither end of the flow limits it.
  double unlimited = 1;
  for (std::size_t e = 0; e < fabric.edge_count(); ++e) {
    unlimited += fabric.edge(static_cast<EdgeIndex>(e)).capacity.value();
  }
  std::set<Nic> senders;
  for (Gpu gpu = 0; gpu < fabric.gpus(); ++gpu) {
    const Vertex vertex = devices.gpus[static_cast<std::size_t>(gpu)];
    const bool first = in_first_half(gpu);
    if (first) {
      ++cut.gpus_in_half;
      flow.add(flow.source(), vertex, unlimited, 0);
    } else {
      flow.add(vertex, flow.sink(), unlimited, 0);
    }
    if (fabric.network() == nullptr) {
      if (first) cut.injection += fabric.edge(fabric.node_port_out(gpu)).capacity;
      continue;
    }
    const Nic nic = fabric.nic_of(gpu);
    Path to_nic;
    fabric.node_fabric().append_to_nic(gpu, nic, to_nic);
    if (to_nic.empty()) {  // a way of its own, which never limits
      flow.add(vertex, devices.nics[static_cast<std::size_t>(nic)], unlimited, unlimited);
    }
    if (!first) continue;
    if (!network) {
      cut.injection += fabric.edge(fabric.node_port_out(gpu)).capacity;
    } else if (senders.insert(nic).second) {
      cut.injection += fabric.edge(fabric.network_port_out(gpu)).capacity;
    }
  }
  cut.bandwidth = BytesPerSecond(flow.maximum());
  return cut;
}

}  // namespace flotilla::topology
