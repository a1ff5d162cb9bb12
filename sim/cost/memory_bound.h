// Time of a kernel that moves bytes and computes next to nothing: norms, activations, dropout,
// residual adds, optimizer updates.
//
//   time = launch + bytes / (memory bandwidth x efficiency)
//
// `bytes` are those that cross HBM, reads and writes together; the efficiency is what a streaming
// kernel (BabelStream add, triad) attains of the data-sheet bandwidth.
#pragma once

#include "sim/config/gpu.h"
#include "sim/units/quantity.h"

namespace flotilla::cost {

BytesPerSecond streaming_bandwidth(const config::Gpu& gpu);

Seconds memory_bound_time(Bytes traffic, const config::Gpu& gpu);

}  // namespace flotilla::cost
