#include "sim/cost/slowest_gpu.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>

namespace flotilla::cost {

double slowest_gpu_factor(const config::Gpu& gpu, std::int64_t gpus) {
  if (gpus <= 1 || gpu.variation.deviation <= 0) return 1;
  const auto n = static_cast<double>(gpus);
  const double q = boost::math::quantile(boost::math::normal(), (n - 0.375) / (n + 0.25));
  // A deviation that would make the slowest GPU stand still is no normal distribution any more.
  return 1 / std::max(0.1, 1 - gpu.variation.deviation * q);
}

}  // namespace flotilla::cost
