#include "sim/cost/attention.h"

#include <algorithm>

#include "sim/cost/half_precision.h"
#include "sim/cost/memory_bound.h"

namespace flotilla::cost {
namespace {

constexpr double kBlockRows = 128;
constexpr double kTailBlocks = 0.5;
constexpr double kElementBytes = 2;
constexpr double kReferenceHeadDim = 128;  // of the calibrated efficiencies
constexpr double kBackwardWork = 2.5;      // FLOPs backward / forward
constexpr double kBackwardBytes = 2;       // reads q, k, v, o, do and writes dq, dk, dv

// How much slower than with the reference head_dim: the softmax weighs more in a narrow head.
double head_dim_ratio(double head_dim, double softmax_dim) {
  return (head_dim / (head_dim + softmax_dim)) /
         (kReferenceHeadDim / (kReferenceHeadDim + softmax_dim));
}

// fp8 training keeps attention in 16 bits.
FlopsPerSecond attention_peak(const config::Gpu& gpu, config::Precision precision) {
  return precision == config::Precision::fp8 ? half_precision_peak(gpu) : gpu.peak.at(precision);
}

Bytes attention_bytes(const model::FusedAttention& attention) {
  const auto query_rows = static_cast<double>(attention.query_length * attention.heads);
  const auto key_rows = static_cast<double>(attention.key_length * attention.kv_heads);
  const double elements =
      2 * (query_rows + key_rows) * static_cast<double>(attention.head_dim * attention.batch);
  return Bytes(elements * kElementBytes * (attention.backward ? kBackwardBytes : 1));
}

}  // namespace

Seconds attention_time(const model::FusedAttention& attention, const config::Gpu& gpu,
                       config::Precision precision) {
  const config::AttentionCalibration& calibration = gpu.attention;
  const auto head_dim = static_cast<double>(attention.head_dim);
  const double efficiency =
      attention.backward ? calibration.backward_efficiency : calibration.forward_efficiency;
  const FlopsPerSecond rate = attention_peak(gpu, precision) *
                              (efficiency * head_dim_ratio(head_dim, calibration.softmax_dim));

  const double row_flops = 4 * static_cast<double>(attention.key_length) * head_dim *
                           (attention.backward ? kBackwardWork : 1);
  const double rows =
      static_cast<double>(attention.batch * attention.heads * attention.query_length);
  const Flops work(row_flops * rows * (attention.causal ? 0.5 : 1));
  const Flops block(row_flops * kBlockRows);
  const FlopsPerSecond one_sm = rate / static_cast<double>(gpu.multiprocessors);

  const Seconds compute = work / rate + kTailBlocks * (block / one_sm);
  const Seconds memory = attention_bytes(attention) / streaming_bandwidth(gpu);
  return calibration.launch + std::max(compute, memory);
}

}  // namespace flotilla::cost
