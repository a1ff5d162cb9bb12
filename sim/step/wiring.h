// Where the ranks of a step are on the links of its graph: the difference between the two
// fidelities.
//
// folded: one representative per pipeline rank, tensor lane 0 of replica 0. Its ports are links
// that all
//   of its traffic shares; what lies beyond them is a limit of its own for each kind of transfer,
//   the share that it gets while all its likes on other lanes and replicas run too.
// full: every GPU, and every edge of the fabric as a link that all flows across it share.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/collective/collective.h"
#include "sim/config/scenario.h"
#include "sim/graph/op_graph.h"
#include "sim/layout/mesh.h"
#include "sim/topology/fabric.h"

namespace flotilla::step {

// A group's rings: where each simulated member sends, once inside its node and once to the next
// node.
struct Ring {
  collective::Placement placement;
  std::vector<std::uint32_t> node_paths;     // of members that have a neighbour in their node
  std::vector<std::uint32_t> network_paths;  // of members that have one on another node
};

struct Route {
  std::uint32_t path = 0;
  Seconds latency;
  bool within_node = false;
};

class Wiring {
 public:
  virtual ~Wiring() = default;

  // How many tensor lanes and data-parallel replicas are simulated.
  [[nodiscard]] virtual std::int64_t lanes() const = 0;
  [[nodiscard]] virtual std::int64_t replicas() const = 0;
  // The rank that operations of a simulated GPU carry.
  [[nodiscard]] virtual std::int32_t rank(const layout::Coordinates& at) const = 0;

  // What it has left of the speed of its kernels.
  [[nodiscard]] virtual double speed(const layout::Coordinates& at) const = 0;

  virtual const Ring& tensor_ring(const layout::Coordinates& of) = 0;
  virtual const Ring& data_ring(const layout::Coordinates& of) = 0;
  virtual const Route& route(const layout::Coordinates& from, const layout::Coordinates& to) = 0;
};

std::unique_ptr<Wiring> make_folded_wiring(const config::Scenario& scenario,
                                           const layout::Mesh& mesh, const topology::Fabric& fabric,
                                           graph::OpGraph& graph);
std::unique_ptr<Wiring> make_full_wiring(const config::Scenario& scenario, const layout::Mesh& mesh,
                                         const topology::Fabric& fabric, graph::OpGraph& graph);

}  // namespace flotilla::step
