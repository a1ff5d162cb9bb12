#include <filesystem>

#include "sim/cost/gemm.h"
#include "tests/catch.h"
#include "tests/cost/gpus.h"

namespace flotilla {
namespace {

TEST_CASE("every shipped GPU is complete and names its sources", "[cost][platforms]") {
  const std::filesystem::path folder = std::string(FLOTILLA_SOURCE_DIR) + "/platforms/gpus";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    const config::Gpu gpu = test::shipped_gpu(name);
    CHECK_FALSE(gpu.source.empty());
    CHECK_FALSE(gpu.gemm.source.empty());
    CHECK_FALSE(gpu.attention.source.empty());
    CHECK_FALSE(gpu.memory_bound.source.empty());
    for (const auto& [precision, peak] : gpu.peak) {
      // A large product attains between 40 % and all of the peak.
      const model::Gemm gemm{.m = 8192, .n = 8192, .k = 8192};
      const double rate = 2.0 * 8192 * 8192 * 8192 / cost::gemm_time(gemm, gpu, precision).value();
      CHECK(rate < peak.value());
      CHECK(rate > 0.4 * peak.value());
    }
    ++files;
  }
  CHECK(files >= 10);
}

}  // namespace
}  // namespace flotilla
