// One training step as an OpGraph: the schedule's passes on the compute stream of each pipeline
// rank, hand-overs between ranks, gradient and parameter buckets beside them, the optimizer at the
// end.
#pragma once

#include <vector>

#include "sim/config/scenario.h"
#include "sim/graph/op_graph.h"
#include "sim/schedule/schedule.h"
#include "sim/step/block.h"
#include "sim/topology/fabric.h"

namespace flotilla::step {

struct StepGraph {
  graph::OpGraph graph;
  CollectiveTable collectives;
  schedule::Schedule schedule;
};

schedule::Schedule make_schedule(const config::Scenario& scenario);

// Folded: one representative rank per pipeline stage; Op::rank is the pipeline rank.
StepGraph build_folded(const config::Scenario& scenario, const topology::Fabric& fabric);

}  // namespace flotilla::step
