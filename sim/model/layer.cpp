#include "sim/model/layer.h"

#include "sim/model/layer_parts.h"
#include "sim/model/tensor_seams.h"

namespace flotilla::model {

namespace {

// Bytes per element of the kernels around the matrices; `e` is the element size.
// Norm: read x, write y.  Gradient: read x and dy, write dx.
Kernel norm(const LayerDimensions& d) {
  return elementwise("norm", d.residual_elements, 2 * d.element);
}
Kernel norm_gradient(const LayerDimensions& d) {
  return elementwise("norm gradient", d.residual_elements, 3 * d.element);
}

// Bias, dropout and residual addition in one kernel: read both addends, write the sum and the mask.
Kernel residual_add(const config::Model& model, const LayerDimensions& d) {
  return elementwise("residual", d.residual_elements, 3 * d.element + (model.dropout ? 1 : 0));
}

// Gradient of a residual block at its end: through the dropout mask. Without dropout it passes as
// is.
void residual_gradient(Program& p, const config::Model& model, const LayerDimensions& d) {
  if (model.dropout) {
    p.add(elementwise("dropout gradient", d.residual_elements, 2 * d.element + 1));
  }
}

// Where the skip connection forks, the gradients of both branches are added.
Kernel fork_gradient(const LayerDimensions& d) {
  return elementwise("residual gradient", d.residual_elements, 3 * d.element);
}

// The activation between the two MLP matrices: reads f/tp (2 f/tp when gated), writes f/tp.
Kernel activation(const LayerDimensions& d) {
  return elementwise("activation", static_cast<double>(d.rows),
                     static_cast<double>(d.ffn_in + d.ffn) * d.element);
}
// Reads the inputs and dy, writes the gradients of the inputs.
Kernel activation_gradient(const LayerDimensions& d) {
  return elementwise("activation gradient", static_cast<double>(d.rows),
                     static_cast<double>(2 * d.ffn_in + d.ffn) * d.element);
}

// Rotary embedding turns queries and keys in place.
void rotary(Program& p, const config::Model& model, const LayerDimensions& d) {
  if (model.positions != config::Positions::rotary) return;
  p.add(elementwise("rotary", static_cast<double>(d.rows),
                    static_cast<double>((d.heads + d.kv_heads) * d.head_dim) * 2 * d.element));
}

void bias_gradient(Program& p, const config::Model& model, const LayerDimensions& d,
                   std::int64_t width) {
  if (!model.biases) return;
  p.add(elementwise("bias gradient", static_cast<double>(d.rows),
                    static_cast<double>(width) * d.element));
}

void attention_backward(Program& p, const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  const TensorSeams seams(d, slice);
  residual_gradient(p, model, d);
  seams.enter_row_backward(p);
  p.add(linear_data_gradient("attention output dgrad", d, d.query, d.hidden));
  p.append(linear_weight_gradient("attention output wgrad", d, slice, d.query, d.hidden));
  bias_gradient(p, model, d, d.hidden);
  if (slice.recompute == config::Recompute::selective) {
    p.recompute(core_attention_forward(model, slice));
  }
  core_attention_backward(p, model, slice);
  rotary(p, model, d);
  bias_gradient(p, model, d, d.qkv);
  seams.column_backward(p, linear_data_gradient("qkv dgrad", d, d.hidden, d.qkv),
                        linear_weight_gradient("qkv wgrad", d, slice, d.hidden, d.qkv));
  p.add(norm_gradient(d));
  p.add(fork_gradient(d));
}

void mlp_backward(Program& p, const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  const TensorSeams seams(d, slice);
  residual_gradient(p, model, d);
  seams.enter_row_backward(p);
  p.add(linear_data_gradient("mlp down dgrad", d, d.ffn, d.hidden));
  p.append(linear_weight_gradient("mlp down wgrad", d, slice, d.ffn, d.hidden));
  bias_gradient(p, model, d, d.hidden);
  p.add(activation_gradient(d));
  bias_gradient(p, model, d, d.ffn_in);
  seams.column_backward(p, linear_data_gradient("mlp up dgrad", d, d.hidden, d.ffn_in),
                        linear_weight_gradient("mlp up wgrad", d, slice, d.hidden, d.ffn_in));
  p.add(norm_gradient(d));
  p.add(fork_gradient(d));
}

}  // namespace

Program layer_forward(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  const TensorSeams seams(d, slice);
  Program p;
  p.add(norm(d));
  seams.enter_column(p);
  p.add(linear_forward("qkv", d, d.hidden, d.qkv));
  rotary(p, model, d);
  p.append(core_attention_forward(model, slice));
  p.add(linear_forward("attention output", d, d.query, d.hidden));
  seams.leave_row(p);
  p.add(residual_add(model, d));

  p.add(norm(d));
  seams.enter_column(p);
  p.add(linear_forward("mlp up", d, d.hidden, d.ffn_in));
  p.add(activation(d));
  p.add(linear_forward("mlp down", d, d.ffn, d.hidden));
  seams.leave_row(p);
  p.add(residual_add(model, d));
  return p;
}

Program layer_backward(const config::Model& model, const Slice& slice) {
  Program p;
  if (slice.recompute == config::Recompute::full) p.recompute(layer_forward(model, slice));
  mlp_backward(p, model, slice);
  attention_backward(p, model, slice);
  return p;
}

}  // namespace flotilla::model
