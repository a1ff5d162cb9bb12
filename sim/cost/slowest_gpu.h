// The slowest of many GPUs: synchronous training waits for it.
#pragma once

#include <cstdint>

#include "sim/config/gpu.h"

namespace flotilla::cost {

// Time of a compute-bound kernel on the slowest of `gpus` GPUs over its time on the mean one.
// Speeds are taken as normal with gpu.variation.deviation; the expected smallest of n is (Blom
// 1958)
//   1 - deviation x q,  q the (n - 3/8) / (n + 1/4) quantile of the standard normal distribution.
// 1 for a single GPU.
double slowest_gpu_factor(const config::Gpu& gpu, std::int64_t gpus);

}  // namespace flotilla::cost
