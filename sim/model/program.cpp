#include "sim/model/program.h"

namespace flotilla::model {

void Program::add(const Kernel& kernel) {
  Step step;
  step.kernel = kernel;
  step.waits_for = pending_;
  pending_ = -1;
  steps_.push_back(step);
}

int Program::start(const Exchange& exchange) {
  Step step;
  step.is_exchange = true;
  step.exchange = exchange;
  step.waits_for = pending_;
  steps_.push_back(step);
  return static_cast<int>(steps_.size()) - 1;
}

void Program::wait(int exchange) {
  // Exchanges run in order, so waiting for the later one is waiting for both.
  if (exchange > pending_) pending_ = exchange;
}

void Program::recompute(const Program& part) { copy(part, true); }
void Program::append(const Program& part) { copy(part, false); }

void Program::copy(const Program& part, bool recompute) {
  const int offset = static_cast<int>(steps_.size());
  bool first = true;
  for (Step step : part.steps()) {
    if (step.waits_for >= 0) step.waits_for += offset;
    if (first && pending_ >= 0) step.waits_for = pending_;
    first = false;
    step.is_recompute = step.is_recompute || recompute;
    steps_.push_back(step);
  }
  if (!first) pending_ = part.pending() >= 0 ? part.pending() + offset : -1;
}

Flops Program::flops() const {
  Flops total;
  for (const Step& step : steps_) {
    if (!step.is_exchange) total += model::flops(step.kernel);
  }
  return total;
}

}  // namespace flotilla::model
