#include "sim/step/script.h"

#include <algorithm>
#include <utility>

namespace flotilla::step {

namespace {

// Collects kernels until something has to happen between them.
class ScriptBuilder {
 public:
  ScriptBuilder(graph::OpGraph& graph, std::size_t program_steps)
      : graph_(graph), place_(program_steps, -1) {}

  void add(const model::Step& step, const graph::BlockProfile::Segment& segment) {
    if (step.waits_for >= 0) close();
    waits_for_ = std::max(waits_for_, step.waits_for);
    Seconds& part = step.is_recompute ? run_.recompute : run_.compute;
    graph::BlockProfile::Segment moved = segment;
    moved.start = run_.total();
    part += segment.duration;
    run_.segments.push_back(std::move(moved));
  }

  void add_exchange(std::size_t index, const model::Step& step) {
    close();
    place_[index] = static_cast<int>(script_.size());
    ScriptStep exchange;
    exchange.is_exchange = true;
    exchange.exchange = step.exchange;
    exchange.waits_for = place_of(step.waits_for);
    script_.push_back(exchange);
  }

  Script finish() {
    close();
    return std::move(script_);
  }

 private:
  [[nodiscard]] int place_of(int step) const {
    return step < 0 ? -1 : place_[static_cast<std::size_t>(step)];
  }

  void close() {
    if (run_.segments.empty()) return;
    ScriptStep kernels;
    kernels.duration = run_.total();
    kernels.waits_for = place_of(waits_for_);
    run_.name = run_.segments.front().name;
    kernels.profile = graph_.add_profile(std::exchange(run_, {}));
    script_.push_back(kernels);
    waits_for_ = -1;
  }

  graph::OpGraph& graph_;
  std::vector<int> place_;  // by program step: where its exchange is in the script
  Script script_;
  graph::BlockProfile run_;
  int waits_for_ = -1;
};

}  // namespace

Script make_script(graph::OpGraph& graph, const model::Program& program,
                   const graph::BlockProfile& timed) {
  ScriptBuilder builder(graph, program.steps().size());
  for (std::size_t i = 0; i < program.steps().size(); ++i) {
    const model::Step& step = program.steps()[i];
    if (step.is_exchange) {
      builder.add_exchange(i, step);
    } else {
      builder.add(step, timed.segments[i]);
    }
  }
  return builder.finish();
}

}  // namespace flotilla::step
