// The dimensions and small kernels that the forward and the backward pass of a layer share.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/config/model.h"
#include "sim/model/program.h"
#include "sim/model/slice.h"

namespace flotilla::model {

// Widths of one tensor-parallel rank's share of a layer.
struct LayerDimensions {
  LayerDimensions(const config::Model& model, const Slice& slice);

  std::int64_t rows;         // s b
  double residual_rows;      // s b, or s b / tp with sequence parallelism
  std::int64_t hidden;       // h
  std::int64_t head_dim;     // d
  std::int64_t heads;        // a / tp
  std::int64_t kv_heads;     // kv / tp, at least 1: fewer are replicated
  std::int64_t query;        // heads d
  std::int64_t qkv;          // (heads + 2 kv_heads) d
  std::int64_t ffn;          // f / tp
  std::int64_t ffn_in;       // f / tp, 2 f / tp when gated
  double element;            // bytes
  double residual_elements;  // residual_rows h
  Bytes residual_bytes;      // the whole s b h tensor: what its exchange moves
};

// y = x W for `rows` tokens: [rows, in] x [in, out].
Kernel linear_forward(std::string_view name, const LayerDimensions& d, std::int64_t in,
                      std::int64_t out);
// dx = dy W^T: [rows, out] x [out, in].
Kernel linear_data_gradient(std::string_view name, const LayerDimensions& d, std::int64_t in,
                            std::int64_t out);
// dW += x^T dy: [in, rows] x [rows, out], added to the gradient buffer by the product itself or by
// a kernel of its own.
Program linear_weight_gradient(std::string_view name, const LayerDimensions& d, const Slice& slice,
                               std::int64_t in, std::int64_t out);

// Reads and writes `per_element` bytes for each of `elements`.
Kernel elementwise(std::string_view name, double elements, double per_element);

// softmax(q k^T) v from the sliced q, k, v: what selective recomputation runs again.
Program core_attention_forward(const config::Model& model, const Slice& slice);
void core_attention_backward(Program& program, const config::Model& model, const Slice& slice);

}  // namespace flotilla::model
