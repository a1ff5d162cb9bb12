// One kernel of a layer, by what it asks of a GPU. How long it takes is the business of sim/cost.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/units/quantity.h"

namespace flotilla::model {

enum class KernelKind { gemm, attention, memory };

// Which of a linear layer's three products it is: they differ in operand layout and in what they
// write (weight gradients accumulate into the gradient buffer).
enum class Product { forward, data_gradient, weight_gradient };

// C[m,n] = A[m,k] B[k,n], `batch` times. FLOPs = 2 m n k batch.
struct Gemm {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;
  Product product = Product::forward;
  double input_bytes = 2;   // per element of A and B
  double output_bytes = 2;  // per element of C, a read-modify-write counted twice
};

// Fused attention over `heads` query heads of `head_dim`, scores never reach HBM.
// Dense FLOPs: forward 4 b a s_q s_k d; backward 2.5 x that (one product recomputed); halved if
// causal.
struct FusedAttention {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t query_length = 0;
  std::int64_t key_length = 0;
  std::int64_t head_dim = 0;
  bool causal = true;
  bool backward = false;
};

struct Kernel {
  std::string_view name;  // static storage: "qkv", "softmax"
  KernelKind kind = KernelKind::memory;
  Gemm gemm;
  FusedAttention attention;
  Bytes traffic;  // kind memory: HBM bytes read and written
};

inline Kernel gemm_kernel(std::string_view name, Gemm gemm) {
  return {.name = name, .kind = KernelKind::gemm, .gemm = gemm, .attention = {}, .traffic = {}};
}
inline Kernel attention_kernel(std::string_view name, FusedAttention attention) {
  return {.name = name,
          .kind = KernelKind::attention,
          .gemm = {},
          .attention = attention,
          .traffic = {}};
}
inline Kernel memory_kernel(std::string_view name, Bytes traffic) {
  return {
      .name = name, .kind = KernelKind::memory, .gemm = {}, .attention = {}, .traffic = traffic};
}

// Multiply-adds that the kernel executes, times two.
Flops flops(const Kernel& kernel);

}  // namespace flotilla::model
