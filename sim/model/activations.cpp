#include "sim/model/activations.h"

#include "sim/model/layer_parts.h"
#include "sim/model/parameters.h"

namespace flotilla::model {

namespace {

constexpr double mask_byte = 1;

// Inputs of the norms and of the column-parallel matrices, dropout masks of the residual branches.
// Sequence parallelism cuts the norms' inputs and the masks; it keeps only its own shard of the
// inputs of the matrices too, and gathers them again.
double residual_bytes(const config::Model& model, const LayerDimensions& d) {
  const double per_block = 2 * d.element + (model.dropout ? mask_byte : 0);
  return 2 * per_block * d.residual_elements;
}

// Queries, keys, values, the input of the output matrix, and the MLP around its activation.
double sliced_bytes(const LayerDimensions& d) {
  const double width = static_cast<double>(d.qkv + d.query + d.ffn_in + d.ffn);
  return static_cast<double>(d.rows) * width * d.element;
}

// Softmax output, its dropout mask and the dropout's output; fused attention keeps one fp32 number
// a row instead.
double core_attention_bytes(const config::Model& model, const LayerDimensions& d,
                            const Slice& slice) {
  const auto s = static_cast<double>(slice.sequence_length);
  const double score_rows = static_cast<double>(slice.micro_batch * d.heads) * s;
  if (slice.attention == config::Attention::flash) return score_rows * 4;
  if (slice.recompute == config::Recompute::selective) return 0;
  return score_rows * s * (d.element + (model.dropout ? mask_byte + d.element : 0));
}

}  // namespace

Bytes recompute_workspace(const config::Model& model, const Slice& slice) {
  if (slice.recompute != config::Recompute::full) return Bytes(0);
  Slice whole = slice;
  whole.recompute = config::Recompute::none;
  return layer_activations(model, whole);
}

Bytes layer_activations(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  if (slice.recompute == config::Recompute::full) return Bytes(d.residual_elements * d.element);
  return Bytes(residual_bytes(model, d) + sliced_bytes(d) + core_attention_bytes(model, d, slice));
}

Bytes embedding_activations(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  return Bytes(model.dropout ? d.residual_elements * mask_byte : 0);
}

Bytes head_activations(const config::Model& model, const Slice& slice) {
  const LayerDimensions d(model, slice);
  const auto vocab = static_cast<double>(padded_vocab(model.vocab, slice.tp) / slice.tp);
  return Bytes(2 * d.residual_elements * d.element + static_cast<double>(d.rows) * vocab * 4);
}

}  // namespace flotilla::model
