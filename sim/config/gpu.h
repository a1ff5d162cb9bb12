// One GPU: data-sheet rates, and the calibration that turns them into kernel times.
//
// A platform holds one of these for every layout and model that runs on it. The calibration comes
// from measurements of single kernels; docs/kernels.md says which, and how well they are met.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/units/quantity.h"

namespace flotilla::config {

enum class Precision { fp32, tf32, fp16, bf16, fp8 };

// Matrix products; the model is in sim/cost/gemm.h. Ratios are shares of a rate: 1 = no loss.
struct GemmCalibration {
  std::string source;
  double efficiency = 1;      // share of the peak inside the main loop of the largest tile
  std::int64_t tile_m = 256;  // largest output tile that one SM works on
  std::int64_t tile_n = 128;
  double tile_reuse = 0;           // loss of smaller tiles: operand loads per FMA weigh this much
  double fill_k = 0;               // fill and drain of one tile, in steps of k
  Seconds launch;                  // fixed time of one kernel
  double sustained = 1;            // rate of a settled GPU in training / rate of a short benchmark
  double fp8_ratio = 1;            // share of its peak that fp8 reaches / share that bf16 reaches
  double data_gradient_ratio = 1;  // dgrad rate / forward rate
  double weight_gradient_ratio = 1;  // wgrad (accumulating in fp32) rate / forward rate
};

// Fused attention; the model is in sim/cost/attention.h. Rates are those of a training run.
struct AttentionCalibration {
  std::string source;
  double forward_efficiency = 1;  // share of the 16-bit peak with head_dim 128, long sequence
  double backward_efficiency = 1;
  double softmax_dim = 0;  // softmax of one score costs as much as this much head_dim
  Seconds launch;          // fixed time of one kernel
};

// Kernels bound by memory bandwidth; the model is in sim/cost/memory_bound.h.
struct MemoryBoundCalibration {
  std::string source;
  double efficiency = 1;  // share of Gpu::memory_bandwidth that a streaming kernel attains
  Seconds launch;         // fixed time of one kernel
};

// GPUs of one model differ in the clock that they hold under load; see sim/cost/slowest_gpu.h.
struct SpeedVariation {
  std::string source;
  double deviation = 0;  // standard deviation of the speed, as a share of the mean
};

struct Gpu {
  std::string name;
  std::string source;               // of the data-sheet values
  Bytes memory;                     // what a program can allocate
  BytesPerSecond memory_bandwidth;  // data sheet
  std::int64_t multiprocessors = 0;
  std::map<Precision, FlopsPerSecond> peak;  // dense, without sparsity
  GemmCalibration gemm;
  AttentionCalibration attention;
  MemoryBoundCalibration memory_bound;
  SpeedVariation variation;
};

}  // namespace flotilla::config
