#include "sim/cost/memory_bound.h"

#include "sim/cost/kernel_time.h"
#include "tests/catch.h"
#include "tests/cost/gpus.h"

namespace flotilla {
namespace {

using config::Precision;

TEST_CASE("a streaming kernel takes its launch and its bytes", "[cost][memory]") {
  // 1e9 B at 1 TB/s x 0.8, and 4 us.
  config::Gpu gpu = test::round_gpu();
  gpu.memory_bound.efficiency = 0.8;
  gpu.memory_bound.launch = Seconds(4e-6);
  CHECK(cost::memory_bound_time(Bytes(1e9), gpu).value() == Approx(1e9 / 0.8e12 + 4e-6));
  CHECK(cost::memory_bound_time(Bytes(0), gpu).value() == Approx(4e-6));
}

TEST_CASE("the streaming bandwidth is what BabelStream measures", "[cost][memory]") {
  // TB/s of add and triad, Azure AI-benchmarking-guide @8fd0c6e1.
  CHECK(cost::streaming_bandwidth(test::shipped_gpu("a100-sxm-80gb")).value() / 1e12 ==
        Approx(1.70).epsilon(0.01));
  CHECK(cost::streaming_bandwidth(test::shipped_gpu("h100-sxm-80gb")).value() / 1e12 ==
        Approx(2.97).epsilon(0.01));
  CHECK(cost::streaming_bandwidth(test::shipped_gpu("h200-sxm")).value() / 1e12 ==
        Approx(4.15).epsilon(0.01));
}

TEST_CASE("every kind of kernel is timed by its own model", "[cost]") {
  config::Gpu gpu = test::compute_bound_gpu();
  gpu.gemm.launch = Seconds(1);
  gpu.attention.launch = Seconds(2);
  gpu.memory_bound.launch = Seconds(3);
  const auto gemm = model::gemm_kernel("product", {.m = 1, .n = 1, .k = 1});
  const auto attention = model::attention_kernel(
      "attention",
      {.batch = 1, .heads = 1, .kv_heads = 1, .query_length = 1, .key_length = 1, .head_dim = 1});
  const auto memory = model::memory_kernel("norm", Bytes(1));
  CHECK(cost::kernel_time(gemm, gpu, Precision::bf16).value() == Approx(1));
  CHECK(cost::kernel_time(attention, gpu, Precision::bf16).value() == Approx(2));
  CHECK(cost::kernel_time(memory, gpu, Precision::bf16).value() == Approx(3));
}

}  // namespace
}  // namespace flotilla
