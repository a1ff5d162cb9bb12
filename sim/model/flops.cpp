#include "sim/model/flops.h"

namespace flotilla::model {

namespace {

double step_tokens(const config::Scenario& s) {
  return static_cast<double>(s.training.global_batch) *
         static_cast<double>(s.training.sequence_length);
}

// Forward FLOPs a token of the matrices of one layer: 2 for each weight.
double layer_matrices(const config::Model& m) {
  const auto h = static_cast<double>(m.hidden);
  const auto d = static_cast<double>(m.head_dim);
  const double attention = h * d * static_cast<double>(2 * m.heads + 2 * m.kv_heads);
  const double mlp = h * static_cast<double>(m.ffn) * (m.gated() ? 3 : 2);
  return 2 * (attention + mlp);
}

// Forward FLOPs a token of softmax(q k^T) v in one layer.
double layer_attention(const config::Scenario& s) {
  const double square = 4 * static_cast<double>(s.training.sequence_length) *
                        static_cast<double>(s.model.heads * s.model.head_dim);
  return s.training.attention_flops == config::AttentionFlops::causal ? square / 2 : square;
}

}  // namespace

Flops model_flops(const config::Scenario& s) {
  const auto layers = static_cast<double>(s.model.layers);
  const double head = 2 * static_cast<double>(s.model.vocab) * static_cast<double>(s.model.hidden);
  return Flops(3 * step_tokens(s) *
               (layers * (layer_matrices(s.model) + layer_attention(s)) + head));
}

Flops hardware_flops(const config::Scenario& s) {
  const auto layers = static_cast<double>(s.model.layers);
  double again = 0;
  if (s.layout.recompute == config::Recompute::full) {
    again = layer_matrices(s.model) + layer_attention(s);
  } else if (s.layout.recompute == config::Recompute::selective) {
    again = layer_attention(s);
  }
  return model_flops(s) + Flops(step_tokens(s) * layers * again);
}

}  // namespace flotilla::model
