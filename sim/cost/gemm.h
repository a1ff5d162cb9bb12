// Time of a matrix product, from its tiles.
//
//   time    = launch + (compute^4 + memory^4)^(1/4) + merge
//   compute = waves x 2 tile_m tile_n (k / split + fill_k) / rate of one SM
//   memory  = bytes / (memory bandwidth x efficiency of a streaming kernel)
//   merge   = 4 B x m n split / the same bandwidth, 0 without a split
//
// The fourth power is a roofline with a rounded corner: loads and multiply-adds overlap well, not
// perfectly, and the exponent is the same for every GPU.
//
// fill_k, the fill and drain of a tile, is counted in k steps of the 16-bit main loop; it takes as
// long at other precisions.
//
// The result is cut into tiles, and an SM works on one tile at a time. `waves` is the number of
// tiles over the number of SMs, but the last, part-filled wave takes at least the time that one SM
// needs at its peak: the fewer SMs work, the more power, L2 and HBM each one has.
//
//   waves = whole waves + max(fraction of SMs in the last wave, rate / peak)
//
// A smaller tile loads more operands per multiply-add, 1 / tile_m + 1 / tile_n, and is slower by
// 1 + tile_reuse x (that - the same of the largest tile). k may be split among SMs to fill them;
// the partial results are merged through L2 and HBM. The fastest (tile, split) counts.
//
// Operands and result cross HBM once: with the tile orders in use, re-reads hit the L2.
//
// The form is that of NVIDIA's "Matrix Multiplication Background User's Guide" (tile and wave
// quantisation, roofline); the constants are calibrated per GPU, see docs/kernels.md.
#pragma once

#include <cstdint>

#include "sim/config/gpu.h"
#include "sim/model/kernel.h"
#include "sim/units/quantity.h"

namespace flotilla::cost {

// One way to run the product on the SMs.
struct GemmPlan {
  std::int64_t tile_m = 0;
  std::int64_t tile_n = 0;
  std::int64_t split_k = 1;
  Seconds compute;
  Seconds memory;
  Seconds merge;

  // Compute and memory overlapped, at least the longer and at most 2^(1/4) of it; then the merge.
  [[nodiscard]] Seconds time() const;
};

// The fastest plan. Preconditions: m, n, k, batch > 0, the GPU lists `precision`.
GemmPlan plan_gemm(const model::Gemm& gemm, const config::Gpu& gpu, config::Precision precision);

Seconds gemm_time(const model::Gemm& gemm, const config::Gpu& gpu, config::Precision precision);

}  // namespace flotilla::cost
