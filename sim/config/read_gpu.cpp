#include "sim/config/read.h"

namespace flotilla::config {

namespace {

constexpr double kSmallestRatio = 0.01;
constexpr double kLargestRatio = 10;
constexpr Range kTile = {1, 4096};

void read_gemm(Reader in, GemmCalibration& gemm) {
  in.require({"efficiency", "launch"});
  in.source(gemm.source);
  in.share("efficiency", gemm.efficiency);
  in.count("tile_m", gemm.tile_m, kTile);
  in.count("tile_n", gemm.tile_n, kTile);
  in.number("tile_reuse", gemm.tile_reuse, 0, 10'000);
  in.number("fill_k", gemm.fill_k, 0, 100'000);
  in.quantity("launch", gemm.launch, Zero::allowed);
  in.number("sustained", gemm.sustained, kSmallestRatio, kLargestRatio);
  in.number("fp8_ratio", gemm.fp8_ratio, kSmallestRatio, kLargestRatio);
  in.number("data_gradient_ratio", gemm.data_gradient_ratio, kSmallestRatio, kLargestRatio);
  in.number("weight_gradient_ratio", gemm.weight_gradient_ratio, kSmallestRatio, kLargestRatio);
  in.finish();
}

void read_attention(Reader in, AttentionCalibration& attention) {
  in.require({"forward_efficiency", "backward_efficiency", "launch"});
  in.source(attention.source);
  in.share("forward_efficiency", attention.forward_efficiency);
  in.share("backward_efficiency", attention.backward_efficiency);
  in.number("softmax_dim", attention.softmax_dim, 0, 10'000);
  in.quantity("launch", attention.launch, Zero::allowed);
  in.finish();
}

void read_memory_bound(Reader in, MemoryBoundCalibration& memory_bound) {
  in.require({"efficiency", "launch"});
  in.source(memory_bound.source);
  in.share("efficiency", memory_bound.efficiency);
  in.quantity("launch", memory_bound.launch, Zero::allowed);
  in.finish();
}

void read_variation(Reader in, SpeedVariation& variation) {
  in.require({"deviation"});
  in.source(variation.source);
  in.number("deviation", variation.deviation, 0, 0.2);
  in.finish();
}

void read_peaks(Reader in, std::map<Precision, FlopsPerSecond>& peak) {
  for (const auto& [name, precision] : precision_names()) {
    FlopsPerSecond rate;
    in.quantity(name, rate);
    if (rate > FlopsPerSecond()) peak[precision] = rate;
  }
  in.finish();
}

}  // namespace

const Choices<Precision>& precision_names() {
  static const Choices<Precision> names = {{"fp32", Precision::fp32},
                                           {"tf32", Precision::tf32},
                                           {"fp16", Precision::fp16},
                                           {"bf16", Precision::bf16},
                                           {"fp8", Precision::fp8}};
  return names;
}

void read_gpu(Reader in, Gpu& gpu) {
  in.require({"memory", "memory_bandwidth", "multiprocessors", "peak", "gemm", "attention",
              "memory_bound"});
  in.text("name", gpu.name);
  in.source(gpu.source);
  in.quantity("memory", gpu.memory, Zero::refused, {.smallest = 1e6});
  in.quantity("memory_bandwidth", gpu.memory_bandwidth);
  in.count("multiprocessors", gpu.multiprocessors, {1, 100'000});
  if (const auto peak = in.object("peak")) read_peaks(*peak, gpu.peak);
  // Fused attention runs in 16 bits, and the calibration counts in steps of the 16-bit main loop.
  const bool half = gpu.peak.contains(Precision::bf16) || gpu.peak.contains(Precision::fp16);
  if (in.has("peak") && in.sound("peak") && !half) {
    in.fault("peak", "expected a rate for bf16 or fp16 at least", "like \"bf16\": \"312 TFLOP/s\"");
  }
  if (const auto gemm = in.object("gemm")) read_gemm(*gemm, gpu.gemm);
  if (const auto attention = in.object("attention")) read_attention(*attention, gpu.attention);
  if (const auto memory = in.object("memory_bound")) {
    read_memory_bound(*memory, gpu.memory_bound);
  }
  if (const auto variation = in.object("variation")) read_variation(*variation, gpu.variation);
  in.finish();
}

}  // namespace flotilla::config
