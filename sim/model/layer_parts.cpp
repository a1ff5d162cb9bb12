#include "sim/model/layer_parts.h"

#include <algorithm>

namespace flotilla::model {

LayerDimensions::LayerDimensions(const config::Model& model, const Slice& slice)
    : rows(slice.tokens()),
      residual_rows(slice.residual_rows()),
      hidden(model.hidden),
      head_dim(model.head_dim),
      heads(model.heads / slice.tp),
      kv_heads(std::max<std::int64_t>(1, model.kv_heads / slice.tp)),
      query(heads * head_dim),
      qkv((heads + 2 * kv_heads) * head_dim),
      ffn(model.ffn / slice.tp),
      ffn_in(model.gated() ? 2 * ffn : ffn),
      element(slice.element_bytes),
      residual_elements(residual_rows * static_cast<double>(model.hidden)),
      residual_bytes(static_cast<double>(rows) * static_cast<double>(model.hidden) * element) {}

Kernel linear_forward(std::string_view name, const LayerDimensions& d, std::int64_t in,
                      std::int64_t out) {
  return gemm_kernel(name, {.m = d.rows,
                            .n = out,
                            .k = in,
                            .product = Product::forward,
                            .input_bytes = d.element,
                            .output_bytes = d.element});
}

Kernel linear_data_gradient(std::string_view name, const LayerDimensions& d, std::int64_t in,
                            std::int64_t out) {
  return gemm_kernel(name, {.m = d.rows,
                            .n = in,
                            .k = out,
                            .product = Product::data_gradient,
                            .input_bytes = d.element,
                            .output_bytes = d.element});
}

Program linear_weight_gradient(std::string_view name, const LayerDimensions& d, const Slice& slice,
                               std::int64_t in, std::int64_t out) {
  const double read_and_write = 2 * slice.gradient_bytes;
  Program p;
  p.add(gemm_kernel(name, {.m = in,
                           .n = out,
                           .k = d.rows,
                           .product = Product::weight_gradient,
                           .input_bytes = d.element,
                           .output_bytes = slice.fused_gradients ? read_and_write : d.element}));
  if (!slice.fused_gradients) {
    p.add(elementwise("gradient accumulation", static_cast<double>(in) * static_cast<double>(out),
                      d.element + read_and_write));
  }
  return p;
}

Kernel elementwise(std::string_view name, double elements, double per_element) {
  return memory_kernel(name, Bytes(elements * per_element));
}

namespace {

// A batched product over the heads of the microbatch; keys and values of a group of query heads are
// read once per query head, as unfused implementations expand them.
Kernel head_product(std::string_view name, const LayerDimensions& d, const Slice& slice,
                    std::int64_t m, std::int64_t n, std::int64_t k) {
  return gemm_kernel(name, {.m = m,
                            .n = n,
                            .k = k,
                            .batch = slice.micro_batch * d.heads,
                            .product = Product::forward,
                            .input_bytes = d.element,
                            .output_bytes = d.element});
}

double score_elements(const LayerDimensions& d, const Slice& slice) {
  const auto s = static_cast<double>(slice.sequence_length);
  return static_cast<double>(slice.micro_batch * d.heads) * s * s;
}

FusedAttention fused(const LayerDimensions& d, const Slice& slice, bool backward) {
  return {.batch = slice.micro_batch,
          .heads = d.heads,
          .kv_heads = d.kv_heads,
          .query_length = slice.sequence_length,
          .key_length = slice.sequence_length,
          .head_dim = d.head_dim,
          .causal = true,
          .backward = backward};
}

}  // namespace

Program core_attention_forward(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  Program p;
  if (slice.attention == config::Attention::flash) {
    p.add(attention_kernel("attention", fused(d, slice, false)));
    return p;
  }
  const std::int64_t s = slice.sequence_length;
  const double scores = score_elements(d, slice);
  p.add(head_product("attention scores", d, slice, s, s, d.head_dim));
  p.add(elementwise("softmax", scores, 2 * d.element));
  if (model.dropout) p.add(elementwise("attention dropout", scores, 2 * d.element + 1));
  p.add(head_product("attention values", d, slice, s, d.head_dim, s));
  return p;
}

void core_attention_backward(Program& p, const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  if (slice.attention == config::Attention::flash) {
    p.add(attention_kernel("attention gradient", fused(d, slice, true)));
    return;
  }
  const std::int64_t s = slice.sequence_length;
  const double scores = score_elements(d, slice);
  p.add(head_product("attention weights gradient", d, slice, s, s, d.head_dim));
  p.add(head_product("value gradient", d, slice, s, d.head_dim, s));
  if (model.dropout) p.add(elementwise("attention dropout gradient", scores, 2 * d.element + 1));
  p.add(elementwise("softmax gradient", scores, 3 * d.element));
  p.add(head_product("query gradient", d, slice, s, d.head_dim, s));
  p.add(head_product("key gradient", d, slice, s, d.head_dim, s));
}

}  // namespace flotilla::model
