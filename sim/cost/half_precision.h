// The 16-bit matrix rate of a GPU: the reference of rates that do not depend on the precision
// asked.
#pragma once

#include "sim/config/gpu.h"
#include "sim/units/quantity.h"

namespace flotilla::cost {

// bf16 where the GPU has it, else fp16 (Volta). Precondition: the GPU lists one of them.
inline FlopsPerSecond half_precision_peak(const config::Gpu& gpu) {
  const auto bf16 = gpu.peak.find(config::Precision::bf16);
  return bf16 != gpu.peak.end() ? bf16->second : gpu.peak.at(config::Precision::fp16);
}

}  // namespace flotilla::cost
