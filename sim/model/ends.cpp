#include "sim/model/ends.h"

#include "sim/model/layer_parts.h"
#include "sim/model/parameters.h"
#include "sim/model/tensor_seams.h"

namespace flotilla::model {

namespace {

std::int64_t vocab_slice(const config::Model& model, const Slice& slice) {
  return padded_vocab(model.vocab, slice.tp) / slice.tp;
}

// The loss works in fp32 whatever the run's precision. Passes over the logits, in bytes an element:
// cast (read e, write 4), maximum (read 4), subtraction and exponential (read 4, write 4), sum
// (read 4), normalisation (read 4, write 4).
double loss_forward_bytes(double element) { return element + 4 + 4 + 8 + 4 + 8; }
// Gradient: read the kept probabilities, write them scaled, cast back (write e).
double loss_backward_bytes(double element) { return 4 + 4 + 4 + element; }

double logits(const config::Model& model, const Slice& slice) {
  return static_cast<double>(slice.tokens()) * static_cast<double>(vocab_slice(model, slice));
}

}  // namespace

Program embedding_forward(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  Program p;
  const double elements = static_cast<double>(d.rows) * static_cast<double>(d.hidden);
  p.add(elementwise("embedding", elements, 2 * d.element));
  TensorSeams(d, slice).leave_row(p);
  if (model.positions == config::Positions::learned) {
    p.add(elementwise("positions", d.residual_elements, 3 * d.element));
  }
  if (model.dropout) {
    p.add(elementwise("embedding dropout", d.residual_elements, 2 * d.element + 1));
  }
  return p;
}

Program embedding_backward(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  Program p;
  if (model.dropout) {
    p.add(elementwise("embedding dropout gradient", d.residual_elements, 2 * d.element + 1));
  }
  TensorSeams(d, slice).enter_row_backward(p);
  // Each row is read and added to its place in the gradient table.
  const double elements = static_cast<double>(d.rows) * static_cast<double>(d.hidden);
  p.add(elementwise("embedding gradient", elements, d.element + 2 * slice.gradient_bytes));
  return p;
}

Program head_forward(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  Program p;
  p.add(elementwise("final norm", d.residual_elements, 2 * d.element));
  TensorSeams(d, slice).enter_column(p);
  p.add(linear_forward("lm head", d, d.hidden, vocab_slice(model, slice)));
  p.add(elementwise("loss", logits(model, slice), loss_forward_bytes(d.element)));
  if (slice.tp > 1) {
    // Maximum, target logit and sum of exponentials, one fp32 number a token each.
    const Bytes bytes(static_cast<double>(d.rows) * 4);
    p.exchange({"reduce loss maximum", ExchangeKind::all_reduce, bytes});
    p.exchange({"reduce loss target", ExchangeKind::all_reduce, bytes});
    p.exchange({"reduce loss sum", ExchangeKind::all_reduce, bytes});
  }
  return p;
}

Program head_backward(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  const std::int64_t vocab = vocab_slice(model, slice);
  Program p;
  p.add(elementwise("loss gradient", logits(model, slice), loss_backward_bytes(d.element)));
  TensorSeams(d, slice).column_backward(
      p, linear_data_gradient("lm head dgrad", d, d.hidden, vocab),
      linear_weight_gradient("lm head wgrad", d, slice, d.hidden, vocab));
  p.add(elementwise("final norm gradient", d.residual_elements, 3 * d.element));
  return p;
}

}  // namespace flotilla::model
