// The ports of the representative ranks as links of the OpGraph, and the communications over them.
//
// A representative has a port to its node's fabric and one to the network, each direction a link
// that all of its traffic shares. What lies beyond is a limit of its own for each kind of transfer:
// the share that it gets while all its likes on other lanes and replicas run too.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "sim/collective/collective.h"
#include "sim/config/scenario.h"
#include "sim/layout/mesh.h"
#include "sim/schedule/schedule.h"
#include "sim/step/block.h"
#include "sim/step/groups.h"
#include "sim/topology/fabric.h"

namespace flotilla::step {

struct StepGraph;

class Ports {
 public:
  Ports(const config::Scenario& scenario, const layout::Mesh& mesh, const topology::Fabric& fabric,
        StepGraph& out);

  graph::OpId add_data_collective(std::int64_t rank, std::int64_t chunk, graph::Purpose purpose,
                                  collective::Op op, Bytes bytes,
                                  std::span<const graph::OpId> after);

  // One microbatch's activations (or their gradients) from one pipeline rank to another. Without
  // sequence parallelism every tensor rank holds all of them: each sends 1/tp, and the receivers
  // gather the parts over their node (Narayanan et al. 2021, scatter/gather).
  graph::OpId add_send(schedule::Pass pass, std::int64_t from, std::int64_t to, std::int64_t chunk,
                       std::int64_t microbatch, const BlockTimer& timer, graph::OpId after);

  // An all-reduce between two pipeline ranks: each sends the whole tensor once, in halves.
  graph::OpId add_pair_all_reduce(std::int64_t a, std::int64_t b, Bytes bytes,
                                  std::span<const graph::OpId> after);

 private:
  struct RankLinks {
    graph::LinkId node_out, node_in, network_out, network_in;
  };
  struct Route {
    std::uint32_t path = 0;
    Seconds latency;
    bool within_node = false;
  };

  const Route& route(std::int64_t from, std::int64_t to);
  std::uint32_t limited_path(graph::LinkId out, graph::LinkId in, BytesPerSecond limit);
  [[nodiscard]] CollectiveKind pair_kind(const char* group, const char* op, Bytes bytes,
                                         const Route& route) const;
  [[nodiscard]] const char* where(const Route& route) const;

  const config::Scenario& s_;
  const layout::Mesh& mesh_;
  const topology::Fabric& fabric_;
  StepGraph& out_;
  std::vector<RankLinks> links_;                    // by pipeline rank
  std::vector<collective::Placement> data_groups_;  // by pipeline rank
  std::vector<std::uint32_t> data_node_path_;       // by pipeline rank
  std::vector<std::uint32_t> data_network_path_;
  std::map<std::pair<std::int64_t, std::int64_t>, Route> routes_;
};

}  // namespace flotilla::step
