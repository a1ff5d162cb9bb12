#include "sim/report/guard.h"

#include <cmath>
#include <stdexcept>

#include "sim/report/words.h"

namespace flotilla::report {

void require_sound(const Summary& s) {
  bool sound = s.step.value() > 0;
  for (const double value :
       {s.step.value(), s.tokens_per_s, s.mfu, s.hfu, s.bubble_fraction, s.memory.peak.value()}) {
    sound = sound && std::isfinite(value);
  }
  for (const Part& part : breakdown_parts()) {
    sound = sound && std::isfinite((s.breakdown.*part.time).value());
  }
  if (sound) return;
  throw std::runtime_error(
      "the step cannot be computed: it is not a finite time; some rate, time or size of the "
      "scenario must be far from that of any machine");
}

}  // namespace flotilla::report
