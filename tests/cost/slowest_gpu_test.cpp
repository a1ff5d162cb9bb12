#include "sim/cost/slowest_gpu.h"

#include "tests/catch.h"

using namespace flotilla;

TEST_CASE(
    "the slowest of n GPUs is 1 / (1 - deviation x q) slower, q the (n - 3/8)/(n + 1/4) quantile") {
  config::Gpu gpu;
  gpu.variation.deviation = 0.015;
  CHECK(cost::slowest_gpu_factor(gpu, 1) == 1);
  // Of two normal variables the smaller is 0.564 deviations below the mean; Blom's q is 0.590.
  CHECK(cost::slowest_gpu_factor(gpu, 2) == Approx(1 / (1 - 0.015 * 0.590)).epsilon(1e-4));
  CHECK(cost::slowest_gpu_factor(gpu, 16384) == Approx(1.0631).epsilon(1e-4));
}

TEST_CASE("more GPUs never have a faster slowest one, equal ones are all alike") {
  config::Gpu gpu;
  gpu.variation.deviation = 0.02;
  double last = 0;
  for (int n = 1; n < 100'000; n *= 3) {
    const double factor = cost::slowest_gpu_factor(gpu, n);
    CHECK(factor >= last);
    last = factor;
  }
  gpu.variation.deviation = 0;
  CHECK(cost::slowest_gpu_factor(gpu, 1000) == 1);
}
