#include "sim/cost/kernel_time.h"

#include "sim/cost/attention.h"
#include "sim/cost/gemm.h"
#include "sim/cost/memory_bound.h"

namespace flotilla::cost {

Seconds kernel_time(const model::Kernel& kernel, const config::Gpu& gpu,
                    config::Precision precision) {
  switch (kernel.kind) {
    case model::KernelKind::gemm:
      return gemm_time(kernel.gemm, gpu, precision);
    case model::KernelKind::attention:
      return attention_time(kernel.attention, gpu, precision);
    case model::KernelKind::memory:
      return memory_bound_time(kernel.traffic, gpu);
  }
  return {};
}

}  // namespace flotilla::cost
