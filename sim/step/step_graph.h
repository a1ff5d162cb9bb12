// One training step as an OpGraph: the schedule's passes on the compute stream of each GPU, tensor
// exchanges, hand-overs between stages, gradient and parameter buckets beside them, the optimizer
// at the end.
#pragma once

#include "sim/config/scenario.h"
#include "sim/graph/op_graph.h"
#include "sim/schedule/schedule.h"
#include "sim/step/block.h"
#include "sim/topology/fabric.h"

namespace flotilla::step {

enum class Fidelity {
  folded,  // one representative rank per pipeline stage; Op::rank is the stage
  full     // every GPU; Op::rank is the GPU, of a group its first
};

struct StepGraph {
  Fidelity fidelity = Fidelity::folded;
  graph::OpGraph graph;
  CollectiveTable collectives;
  schedule::Schedule schedule;
};

schedule::Schedule make_schedule(const config::Scenario& scenario);

StepGraph build_step(const config::Scenario& scenario, const topology::Fabric& fabric,
                     Fidelity fidelity);

}  // namespace flotilla::step
