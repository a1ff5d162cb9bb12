#include "sim/step/summarize.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/layout/memory.h"
#include "sim/model/flops.h"
#include "sim/model/parameters.h"
#include "sim/report/attribution.h"
#include "sim/step/collective_use.h"

namespace flotilla::step {

namespace {

report::Memory summarize_memory(const config::Scenario& scenario,
                                const schedule::Schedule& schedule) {
  report::Memory memory;
  memory.capacity = scenario.platform.gpu.memory;
  std::int64_t number = 0;
  for (const layout::StageMemory& m : layout::stage_memory(scenario, schedule)) {
    memory.peak = std::max(memory.peak, m.peak());
    memory.stages.push_back({.stage = number++,
                             .layers = m.layers,
                             .parameters = m.parameters,
                             .parameters_bytes = m.states.parameters,
                             .gradients_bytes = m.states.gradients,
                             .optimizer_bytes = m.states.optimizer,
                             .activations_bytes = m.activations,
                             .peak_bytes = m.peak()});
  }
  memory.fits = memory.peak <= memory.capacity;
  return memory;
}

// Buckets that differ by a norm's few parameters are one line to a reader.
bool one_line(const CollectiveKind& a, const CollectiveKind& b) {
  CollectiveKind same_size = b;
  same_size.bytes = a.bytes;
  return a == same_size && std::max(a.bytes, b.bytes) / std::min(a.bytes, b.bytes) < 1.01;
}

report::CollectiveLine line_of(const CollectiveKind& kind, const CollectiveUse& use, Bytes bytes) {
  const Seconds time = use.time / static_cast<double>(use.calls);
  const BytesPerSecond algbw = bytes / time;
  return {.group = kind.group,
          .op = kind.op,
          .algorithm = kind.algorithm,
          .where = kind.where,
          .ranks = kind.ranks,
          .bytes = bytes,
          .time = time,
          .algbw = algbw,
          .busbw = algbw * kind.bus_factor,
          .count = *std::max_element(use.calls_by_rank.begin(), use.calls_by_rank.end()),
          .hidden = use.hidden / use.time};
}

std::vector<report::CollectiveLine> summarize_collectives(const StepGraph& step,
                                                          const graph::Timeline& timeline) {
  const std::vector<CollectiveKind>& kinds = step.collectives.kinds();
  std::vector<CollectiveUse> uses = collective_uses(step, timeline);
  std::vector<report::CollectiveLine> lines;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    Bytes moved = kinds[i].bytes * static_cast<double>(uses[i].calls);
    for (std::size_t k = i + 1; k < kinds.size(); ++k) {
      if (!one_line(kinds[i], kinds[k])) continue;
      moved += kinds[k].bytes * static_cast<double>(uses[k].calls);
      uses[i] += std::exchange(uses[k], {});
    }
    if (uses[i].calls == 0) continue;
    lines.push_back(line_of(kinds[i], uses[i], moved / static_cast<double>(uses[i].calls)));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.time * static_cast<double>(a.count) > b.time * static_cast<double>(b.count);
  });
  return lines;
}

}  // namespace

report::Summary summarize(const config::Scenario& scenario, const StepGraph& step,
                          const graph::Timeline& timeline) {
  report::Summary r;
  r.scenario = scenario;
  r.parameters = model::total_parameters(scenario.model);
  r.step = timeline.makespan;

  const auto gpus = static_cast<double>(scenario.layout.gpus);
  const double tokens = static_cast<double>(scenario.training.global_batch) *
                        static_cast<double>(scenario.training.sequence_length);
  r.tokens_per_s = tokens / r.step.value();
  r.tokens_per_s_per_gpu = r.tokens_per_s / gpus;
  const FlopsPerSecond peak = scenario.platform.gpu.peak.at(scenario.training.precision);
  r.flops_per_gpu = model::model_flops(scenario) / r.step / gpus;
  r.mfu = r.flops_per_gpu / peak;
  r.hfu = model::hardware_flops(scenario) / r.step / gpus / peak;

  r.breakdown = report::attribute(step.graph, timeline);
  r.bubble_fraction = r.breakdown.bubble / r.step;
  r.collectives = summarize_collectives(step, timeline);
  r.memory = summarize_memory(scenario, step.schedule);

  const bool full = step.fidelity == Fidelity::full;
  r.engine.fidelity = full ? "full" : "folded";
  r.engine.ranks_simulated = full ? scenario.layout.gpus : scenario.layout.pp;
  r.engine.operations = static_cast<std::int64_t>(step.graph.size());
  return r;
}

}  // namespace flotilla::step
