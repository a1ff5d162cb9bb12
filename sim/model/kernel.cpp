#include "sim/model/kernel.h"

namespace flotilla::model {

Flops flops(const Kernel& kernel) {
  if (kernel.kind == KernelKind::gemm) {
    const Gemm& g = kernel.gemm;
    return Flops(2.0 * static_cast<double>(g.m) * static_cast<double>(g.n) *
                 static_cast<double>(g.k) * static_cast<double>(g.batch));
  }
  if (kernel.kind == KernelKind::attention) {
    const FusedAttention& a = kernel.attention;
    double count = 4.0 * static_cast<double>(a.batch) * static_cast<double>(a.heads) *
                   static_cast<double>(a.query_length) * static_cast<double>(a.key_length) *
                   static_cast<double>(a.head_dim);
    if (a.backward) count *= 2.5;
    if (a.causal) count *= 0.5;
    return Flops(count);
  }
  return Flops(0);
}

}  // namespace flotilla::model
