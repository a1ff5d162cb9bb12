// Which algorithm and protocol NCCL would run, by NCCL's own model.
//
// NCCL estimates latency + bytes / bandwidth for each pair of algorithm and protocol from constants
// of its own and takes the least (NVIDIA/nccl 2.30.7, src/graph/tuning.cc). The model is made to
// choose, not to predict, and errs by up to a factor of two; so it decides here what runs, and the
// measured constants of the link types how long that takes.
#pragma once

#include <string_view>
#include <vector>

#include "sim/collective/collective.h"

namespace flotilla::collective {

struct Estimate {
  Algorithm algorithm = Algorithm::ring;
  std::string_view protocol;
  Seconds latency;
  BytesPerSecond bandwidth;  // bytes of the tensor a second
};

// Everything that NCCL would consider for this operation, lowest bandwidth first. Empty for the
// operations that it has one way for.
std::vector<Estimate> nccl_estimates(Op op, const Placement& at, std::int64_t channels);

// Index of the estimate that NCCL takes for a size. Never falls as the size grows: of the choices
// for all powers of two up to the size, the one with the highest bandwidth.
std::size_t nccl_pick(const std::vector<Estimate>& estimates, Bytes bytes);

}  // namespace flotilla::collective
