#include "sim/cost/gemm.h"

#include <cmath>
#include <vector>

#include "tests/catch.h"
#include "tests/cost/gpus.h"

namespace flotilla {
namespace {

using config::Precision;
using cost::gemm_time;
using cost::plan_gemm;
using model::Gemm;
using model::Product;

double seconds(const Gemm& gemm, const config::Gpu& gpu, Precision precision = Precision::bf16) {
  return gemm_time(gemm, gpu, precision).value();
}

// Merging a split product costs more here than the idle SMs of a part-filled wave.
config::Gpu gpu_without_splits() {
  config::Gpu gpu = test::round_gpu();
  gpu.memory_bandwidth = BytesPerSecond(0.5e12);
  return gpu;
}

TEST_CASE("a perfectly tiled product runs at the peak", "[cost][gemm]") {
  // 10 x 10 tiles of 256 x 128 on 100 SMs: one full wave, 2 m n k / peak.
  const Gemm gemm{.m = 2560, .n = 1280, .k = 1000};
  CHECK(seconds(gemm, test::compute_bound_gpu()) ==
        Approx(2.0 * 2560 * 1280 * 1000 / 100e12).epsilon(1e-9));
}

TEST_CASE("one tile more costs a whole wave at full efficiency", "[cost][gemm]") {
  // rate = peak, so a part-filled wave takes as long as a full one: 2 waves for 101..200 tiles.
  const config::Gpu gpu = gpu_without_splits();
  const auto waves = [&gpu](std::int64_t n) {
    const double wave = 2.0 * 256 * 128 * 1000 / 1e12;
    return plan_gemm({.m = 2560, .n = n, .k = 1000}, gpu, Precision::bf16).compute.value() / wave;
  };
  CHECK(waves(1280) == Approx(1));
  CHECK(waves(1281) == Approx(2));
  CHECK(waves(2560) == Approx(2));
}

TEST_CASE("a part-filled wave is bounded by the peak of its SMs", "[cost][gemm]") {
  // rate = 0.8 peak. 110 tiles: 1 full wave + max(0.1, 0.8) wave; 190 tiles: 1 + max(0.9, 0.8).
  config::Gpu gpu = gpu_without_splits();
  gpu.gemm.efficiency = 0.8;
  const auto waves = [&gpu](std::int64_t tiles) {
    const double wave = 2.0 * 256 * 128 * 1000 / (0.8 * 1e12);
    const Gemm gemm{.m = 256 * tiles, .n = 128, .k = 1000};
    return plan_gemm(gemm, gpu, Precision::bf16).compute.value() / wave;
  };
  CHECK(waves(110) == Approx(1.8));
  CHECK(waves(190) == Approx(1.9));
}

TEST_CASE("fill and drain add their steps of k to every tile", "[cost][gemm]") {
  config::Gpu gpu = test::compute_bound_gpu();
  gpu.gemm.fill_k = 100;
  // One wave of k + fill_k = 1100 steps.
  CHECK(seconds({.m = 2560, .n = 1280, .k = 1000}, gpu) ==
        Approx(2.0 * 256 * 128 * 1100 / 1e12).epsilon(1e-9));
  // The fill takes as long in fp8, where the same time is 200 steps.
  CHECK(seconds({.m = 2560, .n = 1280, .k = 1000}, gpu, Precision::fp8) ==
        Approx(2.0 * 256 * 128 * 1200 / 2e12).epsilon(1e-9));
}

TEST_CASE("a smaller tile is used where it saves more than its loads cost", "[cost][gemm]") {
  // 128 x 128 against 256 x 128: 1 + reuse x (1/128 + 1/128 - 1/256 - 1/128) = 1 + reuse / 256.
  config::Gpu gpu = gpu_without_splits();
  gpu.gemm.tile_reuse = 51.2;  // 1.2
  // 12 x 10 large tiles are 2 waves; 24 x 10 of half the size are 3 waves of 1.2 / 2.
  const Gemm gemm{.m = 256 * 12, .n = 128 * 10, .k = 1000};
  const auto plan = plan_gemm(gemm, gpu, Precision::bf16);
  CHECK(plan.tile_m == 128);
  CHECK(plan.tile_n == 128);
  CHECK(plan.compute.value() == Approx(3 * 1.2 / 2 * 2.0 * 256 * 128 * 1000 / 1e12));
}

TEST_CASE("k is split where tiles are fewer than SMs, at the price of a merge", "[cost][gemm]") {
  // 25 tiles, k in 4 parts: one wave of k / 4, and 4 B x m n x 4 merged at 1 TB/s.
  config::Gpu gpu = test::compute_bound_gpu();
  gpu.memory_bandwidth = BytesPerSecond(1e12);
  const Gemm gemm{.m = 1280, .n = 640, .k = 100'000};
  const auto plan = plan_gemm(gemm, gpu, Precision::bf16);
  CHECK(plan.split_k == 4);
  CHECK(plan.compute.value() == Approx(2.0 * 256 * 128 * 25'000 / 1e12));
  CHECK(plan.merge.value() == Approx(4.0 * 1280 * 640 * 4 / 1e12));
  // A single full wave has no use for it.
  CHECK(plan_gemm({.m = 2560, .n = 1280, .k = 100'000}, gpu, Precision::bf16).split_k == 1);
}

TEST_CASE("far from the ridge the slower side of the roofline is the time", "[cost][gemm]") {
  // Inner product of long rows: (m k + k n) 2 B + m n 2 B at 1 TB/s x 0.5, compute negligible.
  config::Gpu gpu = test::round_gpu();
  gpu.memory_bound.efficiency = 0.5;
  gpu.peak[Precision::bf16] = FlopsPerSecond(1e20);
  const double bytes = (64.0 * 8192 + 8192.0 * 8192 + 64.0 * 8192) * 2;
  CHECK(seconds({.m = 64, .n = 8192, .k = 8192}, gpu) == Approx(bytes / 0.5e12).epsilon(1e-3));
}

TEST_CASE("the batched products of attention scores are bound by memory", "[cost][gemm]") {
  // 96 heads of 2048 x 2048 x 64: 2 (2 m k + m n) B each at 1 TB/s; compute is a quarter of it.
  const Gemm gemm{.m = 2048, .n = 2048, .k = 64, .batch = 96};
  const auto plan = plan_gemm(gemm, test::round_gpu(), Precision::bf16);
  CHECK(plan.memory.value() == Approx(96 * 2.0 * (2.0 * 2048 * 64 + 2048.0 * 2048) / 1e12));
  CHECK(plan.compute < plan.memory);
}

TEST_CASE("at the ridge neither side hides fully behind the other", "[cost][gemm]") {
  // compute = memory = t: (t^4 + t^4)^(1/4) = 2^(1/4) t.
  const cost::GemmPlan plan{.compute = Seconds(1e-3), .memory = Seconds(1e-3)};
  CHECK(plan.time().value() == Approx(std::pow(2.0, 0.25) * 1e-3));
}

TEST_CASE("no product is faster than a launch", "[cost][gemm]") {
  config::Gpu gpu = test::round_gpu();
  gpu.gemm.launch = Seconds(5e-6);
  const double tiny = seconds({.m = 1, .n = 1, .k = 1}, gpu);
  CHECK(tiny > 5e-6);
  CHECK(tiny < 5.2e-6);
}

TEST_CASE("more rows, columns, depth or batch never take less time", "[cost][gemm]") {
  for (const char* name : {"a100-sxm-80gb", "h100-sxm-80gb", "b200-sxm", "v100-sxm-32gb"}) {
    CAPTURE(name);
    const config::Gpu gpu = test::shipped_gpu(name);
    const Precision precision =
        gpu.peak.contains(Precision::bf16) ? Precision::bf16 : Precision::fp16;
    double m = 0;
    double n = 0;
    double k = 0;
    double batch = 0;
    for (std::int64_t size = 16; size < 20'000; size += 1 + size / 7) {
      CAPTURE(size);
      const double by_m = seconds({.m = size, .n = 3072, .k = 2048}, gpu, precision);
      const double by_n = seconds({.m = 2048, .n = size, .k = 3072}, gpu, precision);
      const double by_k = seconds({.m = 1536, .n = 1024, .k = size}, gpu, precision);
      const double by_batch =
          seconds({.m = 256, .n = 256, .k = 128, .batch = size}, gpu, precision);
      CHECK(by_m >= m);
      CHECK(by_n >= n);
      CHECK(by_k >= k);
      CHECK(by_batch >= batch);
      m = by_m;
      n = by_n;
      k = by_k;
      batch = by_batch;
    }
  }
}

TEST_CASE("no product exceeds the peak or the bandwidth of its GPU", "[cost][gemm]") {
  for (const char* name : {"a100-sxm-80gb", "h100-sxm-80gb", "gb200", "rtx-3090"}) {
    CAPTURE(name);
    const config::Gpu gpu = test::shipped_gpu(name);
    for (std::int64_t m = 64; m <= 16'384; m *= 2) {
      for (std::int64_t n = 64; n <= 16'384; n *= 4) {
        for (std::int64_t k = 64; k <= 16'384; k *= 4) {
          const Gemm gemm{.m = m, .n = n, .k = k};
          const double flops = 2.0 * static_cast<double>(m * n * k);
          const double bytes = 2.0 * static_cast<double>(m * k + k * n + m * n);
          const double time = seconds(gemm, gpu);
          CHECK(flops / time < gpu.peak.at(Precision::bf16).value());
          CHECK(bytes / time < gpu.memory_bandwidth.value());
        }
      }
    }
  }
}

TEST_CASE("gradients run at their ratio of the forward rate", "[cost][gemm]") {
  config::Gpu gpu = test::compute_bound_gpu();
  gpu.gemm.data_gradient_ratio = 0.8;
  gpu.gemm.weight_gradient_ratio = 0.5;
  Gemm gemm{.m = 2560, .n = 1280, .k = 1000};
  const double forward = seconds(gemm, gpu);
  gemm.product = Product::data_gradient;
  CHECK(seconds(gemm, gpu) == Approx(forward / 0.8));
  gemm.product = Product::weight_gradient;
  CHECK(seconds(gemm, gpu) == Approx(forward / 0.5));
}

TEST_CASE("a settled GPU is slower in its main loop, not in its memory", "[cost][gemm]") {
  config::Gpu gpu = test::round_gpu();
  const Gemm gemm{.m = 2560, .n = 1280, .k = 1000};
  const auto cold = plan_gemm(gemm, gpu, Precision::bf16);
  gpu.gemm.sustained = 0.8;
  const auto settled = plan_gemm(gemm, gpu, Precision::bf16);
  CHECK(settled.compute.value() == Approx(cold.compute.value() / 0.8));
  CHECK(settled.memory.value() == cold.memory.value());
}

TEST_CASE("twice the peak is up to twice as fast", "[cost][gemm]") {
  const config::Gpu gpu = test::shipped_gpu("h100-sxm-80gb");
  const Gemm bf16{.m = 8192, .n = 8192, .k = 8192};
  const Gemm fp8{.m = 8192, .n = 8192, .k = 8192, .input_bytes = 1};
  const double gain = seconds(bf16, gpu) / seconds(fp8, gpu, Precision::fp8);
  CHECK(gain > 1.7);
  CHECK(gain < 2);
}

TEST_CASE("a tile that the table does not know is used as it is", "[cost][gemm]") {
  // 100 tiles of 32 x 32 on 100 SMs: one wave.
  config::Gpu gpu = test::compute_bound_gpu();
  gpu.gemm.tile_m = 32;
  gpu.gemm.tile_n = 32;
  CHECK(seconds({.m = 320, .n = 320, .k = 1000}, gpu) ==
        Approx(2.0 * 320 * 320 * 1000 / 100e12).epsilon(1e-9));
}

}  // namespace
}  // namespace flotilla
