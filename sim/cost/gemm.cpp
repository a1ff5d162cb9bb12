#include "sim/cost/gemm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "sim/cost/half_precision.h"
#include "sim/cost/memory_bound.h"

namespace flotilla::cost {
namespace {

// Per element of every part of a split product: it is written and read, half of that in the L2 when
// the parts are fp32. Fitted on A100, where the library splits k often.
constexpr double kMergeBytes = 4;

struct Tile {
  std::int64_t m = 0;
  std::int64_t n = 0;
};

// Output tiles that the vendors' libraries choose from, beside the GPU's largest.
constexpr std::array<Tile, 8> kSmallerTiles{
    {{256, 128}, {128, 256}, {128, 128}, {256, 64}, {64, 256}, {128, 64}, {64, 128}, {64, 64}}};
constexpr std::array<std::int64_t, 5> kSplits{1, 2, 4, 8, 16};

// The largest tile, either way round, and those with a smaller area.
std::vector<Tile> candidate_tiles(const config::GemmCalibration& calibration) {
  const Tile largest{calibration.tile_m, calibration.tile_n};
  std::vector<Tile> tiles{largest, {largest.n, largest.m}};
  for (const Tile& tile : kSmallerTiles) {
    if (tile.m * tile.n < largest.m * largest.n) tiles.push_back(tile);
  }
  return tiles;
}

double loads_per_fma(std::int64_t tile_m, std::int64_t tile_n) {
  return 1.0 / static_cast<double>(tile_m) + 1.0 / static_cast<double>(tile_n);
}

// Time of a multiply-add in this tile over that in the largest one.
double tile_loss(const GemmPlan& plan, const config::GemmCalibration& calibration) {
  const double more_loads = loads_per_fma(plan.tile_m, plan.tile_n) -
                            loads_per_fma(calibration.tile_m, calibration.tile_n);
  return 1 + calibration.tile_reuse * std::max(0.0, more_loads);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

double product_ratio(model::Product product, const config::GemmCalibration& calibration) {
  switch (product) {
    case model::Product::forward:
      return 1;
    case model::Product::data_gradient:
      return calibration.data_gradient_ratio;
    case model::Product::weight_gradient:
      return calibration.weight_gradient_ratio;
  }
  return 1;
}

std::int64_t output_tiles(const model::Gemm& gemm, std::int64_t tile_m, std::int64_t tile_n) {
  return gemm.batch * ceil_div(gemm.m, tile_m) * ceil_div(gemm.n, tile_n);
}

struct MainLoop {
  FlopsPerSecond rate;  // of all SMs together, with the largest tile
  double peak_share = 0;
  double fill_k = 0;  // at this precision
};

MainLoop main_loop(const model::Gemm& gemm, const config::Gpu& gpu, config::Precision precision) {
  const config::GemmCalibration& calibration = gpu.gemm;
  const FlopsPerSecond peak = gpu.peak.at(precision);
  const double fp8 = precision == config::Precision::fp8 ? calibration.fp8_ratio : 1;
  const double share = calibration.efficiency * calibration.sustained * fp8 *
                       product_ratio(gemm.product, calibration);
  return {.rate = peak * share,
          .peak_share = share,
          .fill_k = calibration.fill_k * (peak / half_precision_peak(gpu))};
}

double effective_waves(std::int64_t tiles, std::int64_t multiprocessors, const MainLoop& loop) {
  const auto full = static_cast<double>(tiles / multiprocessors);
  const std::int64_t rest = tiles % multiprocessors;
  if (rest == 0) return full;
  const double busy = static_cast<double>(rest) / static_cast<double>(multiprocessors);
  return full + std::max(busy, std::min(1.0, loop.peak_share));
}

Seconds compute_time(const model::Gemm& gemm, const config::Gpu& gpu, const MainLoop& loop,
                     const GemmPlan& plan) {
  const std::int64_t tiles = output_tiles(gemm, plan.tile_m, plan.tile_n) * plan.split_k;
  const double depth = static_cast<double>(ceil_div(gemm.k, plan.split_k)) + loop.fill_k;
  const Flops one_tile(2.0 * static_cast<double>(plan.tile_m * plan.tile_n) * depth *
                       tile_loss(plan, gpu.gemm));
  const FlopsPerSecond one_sm = loop.rate / static_cast<double>(gpu.multiprocessors);
  return effective_waves(tiles, gpu.multiprocessors, loop) * (one_tile / one_sm);
}

Seconds memory_time(const model::Gemm& gemm, const config::Gpu& gpu) {
  const auto m = static_cast<double>(gemm.m);
  const auto n = static_cast<double>(gemm.n);
  const auto k = static_cast<double>(gemm.k);
  const double bytes = (m * k + k * n) * gemm.input_bytes + m * n * gemm.output_bytes;
  return Bytes(bytes * static_cast<double>(gemm.batch)) / streaming_bandwidth(gpu);
}

Seconds merge_time(const model::Gemm& gemm, const config::Gpu& gpu, const GemmPlan& plan) {
  if (plan.split_k == 1) return {};
  const auto elements = static_cast<double>(gemm.batch * gemm.m * gemm.n * plan.split_k);
  return Bytes(elements * kMergeBytes) / streaming_bandwidth(gpu);
}

}  // namespace

Seconds GemmPlan::time() const {
  const Seconds longer = std::max(compute, memory);
  const double shorter = std::min(compute, memory) / longer;
  return longer * std::pow(1 + std::pow(shorter, 4), 0.25) + merge;
}

GemmPlan plan_gemm(const model::Gemm& gemm, const config::Gpu& gpu, config::Precision precision) {
  const MainLoop loop = main_loop(gemm, gpu, precision);
  const Seconds memory = memory_time(gemm, gpu);
  std::optional<GemmPlan> best;
  for (const Tile& tile : candidate_tiles(gpu.gemm)) {
    for (const std::int64_t split_k : kSplits) {
      GemmPlan plan{.tile_m = tile.m, .tile_n = tile.n, .split_k = split_k};
      plan.compute = compute_time(gemm, gpu, loop, plan);
      plan.memory = memory;
      plan.merge = merge_time(gemm, gpu, plan);
      if (!best || plan.time() < best->time()) best = plan;
    }
  }
  return *best;
}

Seconds gemm_time(const model::Gemm& gemm, const config::Gpu& gpu, config::Precision precision) {
  return gpu.gemm.launch + plan_gemm(gemm, gpu, precision).time();
}

}  // namespace flotilla::cost
