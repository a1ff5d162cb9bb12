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

// The tensor-parallel group of a pipeline rank.
collective::Placement tensor_placement(const config::Scenario& scenario, const layout::Mesh& mesh,
                                       const topology::Fabric& fabric);

// The data-parallel group of each pipeline rank.
std::vector<collective::Placement> data_placements(const config::Scenario& scenario,
                                                   const layout::Mesh& mesh,
                                                   const topology::Fabric& fabric);

// A group that communicates alone on the fabric.
collective::Placement group_placement(const std::vector<layout::Rank>& group,
                                      const config::Platform& platform,
                                      const topology::Fabric& fabric);

// A hand-over from one pipeline rank to another.
struct Handover {
  bool within_node = false;
  BytesPerSecond share;  // of the fabric, when every lane of every replica hands over
  Seconds latency;       // of the route
};
Handover handover(const layout::Mesh& mesh, const topology::Fabric& fabric, std::int64_t from,
                  std::int64_t to);

}  // namespace flotilla::step
