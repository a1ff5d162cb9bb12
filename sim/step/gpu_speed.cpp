#include "sim/step/gpu_speed.h"

#include <algorithm>

namespace flotilla::step {

GpuSpeed::GpuSpeed(const config::Scenario& scenario, const layout::Mesh& mesh) {
  for (const config::Degraded& slow : scenario.degraded) {
    if (slow.element != config::Degraded::Element::gpu) continue;
    for (layout::Rank rank = 0; rank < mesh.size(); ++rank) {
      const auto& placement = scenario.layout.placement;
      const std::int64_t gpu = placement.empty() ? rank : placement[static_cast<std::size_t>(rank)];
      if (gpu != slow.gpu) continue;
      by_rank_.resize(static_cast<std::size_t>(mesh.size()), 1);
      by_stage_.resize(static_cast<std::size_t>(scenario.layout.pp), 1);
      const auto stage = static_cast<std::size_t>(mesh.coordinates(rank).pp);
      by_rank_[static_cast<std::size_t>(rank)] *= slow.speed;
      by_stage_[stage] = std::min(by_stage_[stage], by_rank_[static_cast<std::size_t>(rank)]);
    }
  }
}

double GpuSpeed::of(layout::Rank rank) const {
  return by_rank_.empty() ? 1 : by_rank_[static_cast<std::size_t>(rank)];
}

double GpuSpeed::of_stage(std::int64_t pp) const {
  return by_stage_.empty() ? 1 : by_stage_[static_cast<std::size_t>(pp)];
}

}  // namespace flotilla::step
