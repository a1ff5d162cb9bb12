// How long one kernel takes on one GPU.
#pragma once

#include "sim/config/platform.h"
#include "sim/model/kernel.h"
#include "sim/units/quantity.h"

namespace flotilla::cost {

// Time of one kernel with nothing else on the GPU, at the clock that a training run sustains.
// `precision` is the one of the matrix products; memory-bound kernels carry their own byte counts.
// Preconditions (checked by config): the GPU lists that precision; every dimension is positive.
Seconds kernel_time(const model::Kernel& kernel, const config::Gpu& gpu,
                    config::Precision precision);

}  // namespace flotilla::cost
