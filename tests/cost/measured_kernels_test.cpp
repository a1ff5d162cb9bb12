// The shipped calibrations against kernels that were measured. The rows are facts from the sources
// named at each table; docs/kernels.md has the errors over the whole sets.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/cost/attention.h"
#include "sim/cost/gemm.h"
#include "tests/catch.h"
#include "tests/cost/gpus.h"

namespace flotilla {
namespace {

using config::Precision;

struct MeasuredGemm {
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  double microseconds;
};

// |model / measured - 1|, sorted.
std::vector<double> errors(const std::vector<MeasuredGemm>& rows, const config::Gpu& gpu) {
  std::vector<double> result;
  for (const MeasuredGemm& row : rows) {
    const model::Gemm gemm{.m = row.m, .n = row.n, .k = row.k};
    const double modelled = cost::gemm_time(gemm, gpu, Precision::bf16).value() * 1e6;
    CAPTURE(row.m, row.n, row.k, row.microseconds, modelled);
    result.push_back(std::abs(modelled / row.microseconds - 1));
    CHECK(result.back() < 0.2);
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Short benchmarks run before the GPU settles.
config::Gpu cold(config::Gpu gpu) {
  gpu.gemm.sustained = 1;
  return gpu;
}

double quantile(const std::vector<double>& sorted, double share) {
  return sorted.at(static_cast<std::size_t>(share * static_cast<double>(sorted.size())));
}

TEST_CASE("A100 products of training size are met within 5 % at the median", "[cost][measured]") {
  // NVIDIA aiconfigurator @095f58a5, trtllm 1.0.0, A100-SXM4-80GB, bf16, forward.
  const std::vector<MeasuredGemm> rows{
      {1024, 2048, 8192, 154.62},  {4096, 2048, 8192, 531.9},    {8192, 2048, 8192, 1007.41},
      {1024, 4096, 4096, 204.49},  {4096, 4096, 4096, 514.08},   {8192, 4096, 4096, 1035.54},
      {1024, 5120, 5120, 254.33},  {4096, 5120, 5120, 774.55},   {8192, 5120, 5120, 1603.86},
      {1024, 8192, 2048, 162.34},  {4096, 8192, 2048, 534.22},   {8192, 8192, 2048, 1047.76},
      {1024, 10240, 8192, 606.75}, {4096, 10240, 8192, 2548.39}, {8192, 10240, 8192, 5151.16},
      {1024, 12288, 3072, 315.12}, {4096, 12288, 3072, 1191.8},  {8192, 12288, 3072, 2372.44},
      {1024, 3072, 12288, 296.0},  {4096, 3072, 12288, 1205.42}, {8192, 3072, 12288, 2522.52},
      {1024, 16384, 4096, 512.89}, {4096, 16384, 4096, 2060.53}, {8192, 16384, 4096, 4279.23}};
  const auto error = errors(rows, cold(test::shipped_gpu("a100-sxm-80gb")));
  CHECK(quantile(error, 0.5) < 0.05);
  CHECK(quantile(error, 0.9) < 0.12);
}

TEST_CASE("H100 products of training size are met within 5 % at the median", "[cost][measured]") {
  // NVIDIA aiconfigurator @095f58a5, trtllm 1.3.0rc20, H100 80GB HBM3, bf16, forward.
  const std::vector<MeasuredGemm> rows{
      {1024, 2048, 8192, 45.79},   {4096, 2048, 8192, 171.91},  {8192, 2048, 8192, 339.74},
      {1024, 4096, 4096, 45.34},   {4096, 4096, 4096, 174.29},  {8192, 4096, 4096, 343.59},
      {1024, 5120, 5120, 69.81},   {4096, 5120, 5120, 276.88},  {8192, 5120, 5120, 539.39},
      {1024, 8192, 2048, 50.03},   {4096, 8192, 2048, 180.87},  {8192, 8192, 2048, 370.18},
      {1024, 10240, 8192, 222.44}, {4096, 10240, 8192, 847.51}, {8192, 10240, 8192, 1733.83},
      {1024, 12288, 3072, 105.37}, {4096, 12288, 3072, 407.39}, {8192, 12288, 3072, 872.48},
      {1024, 3072, 12288, 98.58},  {4096, 3072, 12288, 423.72}, {8192, 3072, 12288, 758.35},
      {1024, 16384, 4096, 178.51}, {4096, 16384, 4096, 732.97}, {8192, 16384, 4096, 1652.9}};
  const auto error = errors(rows, cold(test::shipped_gpu("h100-sxm-80gb")));
  CHECK(quantile(error, 0.5) < 0.05);
  CHECK(quantile(error, 0.9) < 0.12);
}

TEST_CASE("large products of a settled GPU are met within 5 %", "[cost][measured]") {
  const auto rate = [](std::int64_t m, std::int64_t n, std::int64_t k, const char* gpu,
                       Precision precision) {
    const double bytes = precision == Precision::fp8 ? 1 : 2;
    const model::Gemm gemm{.m = m, .n = n, .k = k, .input_bytes = bytes};
    const double flops = 2.0 * static_cast<double>(m) * static_cast<double>(n * k);
    return flops / cost::gemm_time(gemm, test::shipped_gpu(gpu), precision).value() / 1e12;
  };
  // cuBLASLt after 10,000 warm-up iterations, Azure AI-benchmarking-guide @8fd0c6e1.
  CHECK(rate(8192, 8192, 8192, "a100-sxm-80gb", Precision::fp16) == Approx(253.7).epsilon(0.05));
  CHECK(rate(16384, 16384, 16384, "a100-sxm-80gb", Precision::fp16) == Approx(256.5).epsilon(0.05));
  CHECK(rate(6144, 12288, 12288, "a100-sxm-80gb", Precision::fp16) == Approx(250.8).epsilon(0.05));
  CHECK(rate(8192, 8192, 8192, "h100-sxm-80gb", Precision::fp8) == Approx(1290.1).epsilon(0.05));
  CHECK(rate(6144, 12288, 12288, "h100-sxm-80gb", Precision::fp8) == Approx(1351.4).epsilon(0.05));
  CHECK(rate(16384, 16384, 16384, "h200-sxm", Precision::fp8) == Approx(1366.3).epsilon(0.05));
  // The longest product of the aiconfigurator set, at the power limit.
  CHECK(rate(16384, 16384, 16384, "h100-sxm-80gb", Precision::bf16) == Approx(702.4).epsilon(0.05));
}

TEST_CASE("the gradients of linear layers on A100 PCIe are met within 8 %", "[cost][measured]") {
  // Share of 312 TFLOP/s, SimuMax @4dcaae513ba7, A100_PCIe. Weight gradients read and write fp32.
  const config::Gpu gpu = test::shipped_gpu("a100-pcie-80gb");
  const auto share = [&gpu](model::Gemm gemm, model::Product product) {
    gemm.product = product;
    if (product == model::Product::weight_gradient) gemm.output_bytes = 8;
    const double flops = 2.0 * static_cast<double>(gemm.m * gemm.n * gemm.k);
    return flops / cost::gemm_time(gemm, gpu, Precision::bf16).value() / 312e12;
  };
  using model::Product;
  const model::Gemm forward{.m = 4096, .n = 10240, .k = 8192};
  const model::Gemm data_gradient{.m = 4096, .n = 8192, .k = 10240};
  const model::Gemm weight_gradient{.m = 10240, .n = 8192, .k = 4096};
  CHECK(share(forward, Product::forward) == Approx(0.7554).epsilon(0.08));
  CHECK(share(data_gradient, Product::data_gradient) == Approx(0.7544).epsilon(0.08));
  CHECK(share(weight_gradient, Product::weight_gradient) == Approx(0.7041).epsilon(0.08));
}

TEST_CASE("fused attention on A100 PCIe follows the number of heads within 10 %",
          "[cost][measured]") {
  // Share of 312 TFLOP/s, the causal mask not counted, backward as 2.5 x forward: SimuMax
  // @4dcaae513ba7, sdp_fwd and sdp_bwd, batch 1, 4096 tokens, head_dim 128.
  struct Row {
    std::int64_t heads;
    std::int64_t kv_heads;
    double forward;
    double backward;
  };
  const std::vector<Row> rows{{64, 8, 1.187, 1.0051},
                              {32, 8, 1.132, 0.9764},
                              {16, 4, 0.991, 0.8819},
                              {8, 2, 0.7768, 0.7628}};
  const config::Gpu gpu = test::shipped_gpu("a100-pcie-80gb");
  for (const Row& row : rows) {
    CAPTURE(row.heads);
    model::FusedAttention attention{.batch = 1,
                                    .heads = row.heads,
                                    .kv_heads = row.kv_heads,
                                    .query_length = 4096,
                                    .key_length = 4096,
                                    .head_dim = 128};
    const double flops = 4.0 * static_cast<double>(row.heads) * 4096 * 4096 * 128;
    const double forward = cost::attention_time(attention, gpu, Precision::bf16).value();
    CHECK(flops / forward / 312e12 == Approx(row.forward).epsilon(0.1));
    attention.backward = true;
    const double backward = cost::attention_time(attention, gpu, Precision::bf16).value();
    CHECK(2.5 * flops / backward / 312e12 == Approx(row.backward).epsilon(0.1));
  }
}

}  // namespace
}  // namespace flotilla
