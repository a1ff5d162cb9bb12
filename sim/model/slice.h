// The part of a model that one GPU runs for one microbatch.
#pragma once

#include <cstdint>

#include "sim/config/scenario.h"

namespace flotilla::model {

struct Slice {
  std::int64_t tp = 1;
  bool sequence_parallel = false;  // norms, dropouts and residuals cut along the sequence
  std::int64_t micro_batch = 1;
  std::int64_t sequence_length = 0;
  config::Attention attention = config::Attention::flash;
  config::Recompute recompute = config::Recompute::none;
  // Per element of weights and activations in HBM: 2 for 16-bit runs (fp8 products keep their
  // inputs' master copies in 16 bits), 4 for fp32 and tf32.
  double element_bytes = 2;
  double gradient_bytes = 4;      // per element of the gradient buffers
  bool fused_gradients = true;    // weight-gradient products add to the gradient buffers themselves
  bool overlap_exchanges = true;  // exchanges of input gradients run beside weight gradients

  // s b: rows of every activation matrix.
  [[nodiscard]] std::int64_t tokens() const { return micro_batch * sequence_length; }
  // Rows of the parts that sequence parallelism cuts.
  [[nodiscard]] double residual_rows() const {
    return static_cast<double>(tokens()) / (sequence_parallel ? static_cast<double>(tp) : 1.0);
  }
};

// Bytes of one element that is stored in that precision (see Slice::element_bytes).
double element_bytes(config::Precision precision);

Slice slice_of(const config::Scenario& scenario);

}  // namespace flotilla::model
