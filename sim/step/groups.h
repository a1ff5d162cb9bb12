// Where the groups of a layout lie on the fabric, seen by one representative rank: the folded view.
//
// Every tensor lane of every data-parallel replica runs the same program, so one lane of one
// replica is simulated. What the others take of the shared fabric is counted on the full graph: all
// groups of one kind communicate at the same time, and a representative's flow gets capacity /
// count of each edge.
#pragma once

#include <vector>

#include "sim/collective/collective.h"
#include "sim/config/scenario.h"
#include "sim/layout/mesh.h"
#include "sim/topology/fabric.h"
#include "sim/topology/share.h"

namespace flotilla::step {

// The representative of a pipeline rank: tensor lane 0 of replica 0.
layout::Rank representative(const layout::Mesh& mesh, std::int64_t pipeline_rank);

// An edge that a representative's transfer crosses, and how many transfers like it cross it at the
// same time: those of the other lanes and replicas of its stage, itself included.
struct CrowdedEdge {
  topology::EdgeIndex edge = 0;
  std::int32_t alike = 1;
};

struct GroupSite {
  collective::Placement placement;
  // From the representative's NIC out to its NIC in, by way of the ring's slowest hop between
  // nodes. Empty for a group inside a node.
  std::vector<CrowdedEdge> network;
  // The same inside its node; of a group with one member in it, the ports that nothing crosses.
  std::vector<CrowdedEdge> node;
  // What holds up a member's ring though its own edges are wider: a slower port elsewhere, the
  // direct links of a mesh. Infinite where the edges say it all.
  BytesPerSecond node_limit;
  BytesPerSecond network_limit;
};

// Any group, while the transfers of `load` run.
GroupSite group_site(const std::vector<layout::Rank>& group, const config::Platform& platform,
                     const topology::Fabric& fabric, const topology::Load& load);

// The tensor-parallel group of a stage.
GroupSite tensor_site(const config::Scenario& scenario, const layout::Mesh& mesh,
                      const topology::Fabric& fabric, std::int64_t pp = 0);
// The data-parallel group of each pipeline rank.
std::vector<GroupSite> data_sites(const config::Scenario& scenario, const layout::Mesh& mesh,
                                  const topology::Fabric& fabric);

// The hops of the rings that a group runs (collective/algorithms.h): inside a node every rank sends
// to the next one there, and the last to the first; ring k leaves every node at its k-th rank.
std::vector<topology::Transfer> hops_within_nodes(const std::vector<layout::Rank>& group,
                                                  const topology::Fabric& fabric);
std::vector<topology::Transfer> hops_between_nodes(const std::vector<layout::Rank>& group,
                                                   const topology::Fabric& fabric);

// A hand-over from one pipeline rank to another.
struct Handover {
  bool within_node = false;
  std::vector<CrowdedEdge> edges;
  Seconds latency;  // of the route
};
Handover handover(const layout::Mesh& mesh, const topology::Fabric& fabric, std::int64_t from,
                  std::int64_t to);

}  // namespace flotilla::step
