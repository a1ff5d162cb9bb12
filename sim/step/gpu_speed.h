// How fast the GPUs of a job are, by the slow ones that the scenario names.
#pragma once

#include <vector>

#include "sim/config/scenario.h"
#include "sim/layout/mesh.h"

namespace flotilla::step {

class GpuSpeed {
 public:
  GpuSpeed(const config::Scenario& scenario, const layout::Mesh& mesh);

  // What a rank has left of the speed of its kernels; 1 for most.
  [[nodiscard]] double of(layout::Rank rank) const;
  // Of the slowest rank of a pipeline stage: its tensor group waits for it in every exchange, and
  // all replicas for its replica before the optimizer.
  [[nodiscard]] double of_stage(std::int64_t pp) const;

 private:
  std::vector<double> by_rank_;  // empty: nobody is slow
  std::vector<double> by_stage_;
};

}  // namespace flotilla::step
