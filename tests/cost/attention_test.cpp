#include "sim/cost/attention.h"

#include "tests/catch.h"
#include "tests/cost/gpus.h"

namespace flotilla {
namespace {

using config::Precision;
using model::FusedAttention;

FusedAttention attention(std::int64_t sequence, std::int64_t heads = 32,
                         std::int64_t head_dim = 128) {
  return {.batch = 1,
          .heads = heads,
          .kv_heads = heads,
          .query_length = sequence,
          .key_length = sequence,
          .head_dim = head_dim,
          .causal = true,
          .backward = false};
}

double seconds(const FusedAttention& a, const config::Gpu& gpu,
               Precision precision = Precision::bf16) {
  return cost::attention_time(a, gpu, precision).value();
}

// 50 % of 100 TFLOP/s, softmax free, launch free, memory out of the way.
config::Gpu half_efficient_gpu() {
  config::Gpu gpu = test::compute_bound_gpu();
  gpu.attention.forward_efficiency = 0.5;
  gpu.attention.backward_efficiency = 0.25;
  return gpu;
}

TEST_CASE("attention takes its FLOPs at the calibrated rate and half a block",
          "[cost][attention]") {
  // Work 4 a s^2 d / 2 (causal) at 50 TFLOP/s; a block of 128 rows, 4 x 128 s d, at 0.5 TFLOP/s.
  const double s = 4096;
  const double work = 4 * 32 * s * s * 128 / 2 / 50e12;
  const double half_block = 0.5 * 4 * 128 * s * 128 / 0.5e12;
  CHECK(seconds(attention(4096), half_efficient_gpu()) == Approx(work + half_block));
}

TEST_CASE("a causal mask halves the work, not the longest block", "[cost][attention]") {
  FusedAttention full = attention(4096);
  full.causal = false;
  const double s = 4096;
  const double difference =
      seconds(full, half_efficient_gpu()) - seconds(attention(4096), half_efficient_gpu());
  CHECK(difference == Approx(4 * 32 * s * s * 128 / 2 / 50e12));
}

TEST_CASE("backward does 2.5 times the work of forward", "[cost][attention]") {
  FusedAttention backward = attention(4096);
  backward.backward = true;
  // Efficiencies 0.5 and 0.25.
  CHECK(seconds(backward, half_efficient_gpu()) ==
        Approx(2.5 * 2 * seconds(attention(4096), half_efficient_gpu())));
}

TEST_CASE("a narrow head pays for its softmax", "[cost][attention]") {
  // d0 = 64: g(64) / g(128) = (64 / 128) / (128 / 192) = 0.75, for half the FLOPs.
  config::Gpu gpu = half_efficient_gpu();
  gpu.attention.softmax_dim = 64;
  CHECK(seconds(attention(4096, 32, 64), gpu) ==
        Approx(0.5 / 0.75 * seconds(attention(4096, 32, 128), gpu)));
  // The calibrated efficiencies are those of head_dim 128.
  CHECK(seconds(attention(4096), gpu) == Approx(seconds(attention(4096), half_efficient_gpu())));
}

TEST_CASE("a short sequence is bound by reading q, k, v and writing the result",
          "[cost][attention]") {
  config::Gpu gpu = half_efficient_gpu();
  gpu.memory_bandwidth = BytesPerSecond(1e9);
  FusedAttention a = attention(128, 32);
  a.kv_heads = 8;
  // 2 B x (q, o: 32 heads; k, v: 8 heads) x 128 rows x 128.
  CHECK(seconds(a, gpu) == Approx(2.0 * 2 * (32 + 8) * 128 * 128 / 1e9));
}

TEST_CASE("fp8 training keeps attention in 16 bits", "[cost][attention]") {
  const config::Gpu gpu = test::shipped_gpu("h100-sxm-80gb");
  CHECK(seconds(attention(8192), gpu, Precision::fp8) == seconds(attention(8192), gpu));
}

TEST_CASE("longer sequences are more efficient, up to the calibrated share", "[cost][attention]") {
  for (const char* name : {"a100-sxm-80gb", "h100-sxm-80gb", "b200-sxm"}) {
    CAPTURE(name);
    const config::Gpu gpu = test::shipped_gpu(name);
    double previous = 0;
    for (std::int64_t s = 512; s <= 131'072; s *= 2) {
      const auto length = static_cast<double>(s);
      const double rate = 4 * 32 * length * length * 128 / 2 / seconds(attention(s), gpu);
      const double share = rate / gpu.peak.at(Precision::bf16).value();
      CHECK(share > previous);
      previous = share;
    }
    CHECK(previous == Approx(gpu.attention.forward_efficiency).epsilon(0.02));
  }
}

}  // namespace
}  // namespace flotilla
