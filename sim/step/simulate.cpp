#include "sim/step/simulate.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "sim/engine/engine.h"
#include "sim/step/summarize.h"
#include "sim/topology/fabric.h"

namespace flotilla::step {

namespace {

// The larger of this process and of the engine's child, which has ended.
double peak_rss_bytes() {
  double peak = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    peak = std::max(peak, static_cast<double>(usage.ru_maxrss) * 1024);
  }
  return peak;
}

}  // namespace

Simulation simulate(const config::Scenario& scenario, Fidelity fidelity) {
  const auto begun = std::chrono::steady_clock::now();
  const topology::Fabric fabric(scenario.platform);
  Simulation s;
  s.step = build_step(scenario, fabric, fidelity);
  // Every GPU of a full step has its likes; a folded one has been folded by hand.
  s.timeline =
      fidelity == Fidelity::full ? engine::run_folded(s.step.graph) : engine::run(s.step.graph);
  s.summary = summarize(scenario, s.step, s.timeline);
  s.summary.engine.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  s.summary.engine.peak_rss_bytes = peak_rss_bytes();
  return s;
}

}  // namespace flotilla::step
