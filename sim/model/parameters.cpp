#include "sim/model/parameters.h"

namespace flotilla::model {

namespace {

double norm_parameters(const config::Model& model) {
  const auto h = static_cast<double>(model.hidden);
  return model.norm == config::Norm::layernorm ? 2 * h : h;
}

}  // namespace

Parameters layer_parameters(const config::Model& model) {
  const auto h = static_cast<double>(model.hidden);
  const auto f = static_cast<double>(model.ffn);
  const auto d = static_cast<double>(model.head_dim);
  const double query = static_cast<double>(model.heads) * d;
  const double key_value = 2 * static_cast<double>(model.kv_heads) * d;
  const double up = model.gated() ? 2 * f : f;

  Parameters p;
  p.sliced = h * (query + key_value) + query * h + h * up + f * h;
  if (model.biases) {
    p.sliced += query + key_value + up;
    p.replicated += 2 * h;
  }
  p.replicated += 2 * norm_parameters(model);
  return p;
}

Parameters embedding_parameters(const config::Model& model) {
  const auto h = static_cast<double>(model.hidden);
  Parameters p;
  p.sliced = static_cast<double>(model.vocab) * h;
  if (model.positions == config::Positions::learned) {
    p.replicated = static_cast<double>(model.max_positions) * h;
  }
  return p;
}

Parameters head_parameters(const config::Model& model) {
  return {.sliced = static_cast<double>(model.vocab) * static_cast<double>(model.hidden),
          .replicated = 0};
}

Parameters final_norm_parameters(const config::Model& model) {
  return {.sliced = 0, .replicated = norm_parameters(model)};
}

double total_parameters(const config::Model& model) {
  double total = static_cast<double>(model.layers) * layer_parameters(model).total() +
                 embedding_parameters(model).total() + final_norm_parameters(model).total();
  if (!model.tied_embeddings) total += head_parameters(model).total();
  return total;
}

std::int64_t padded_vocab(std::int64_t vocab, std::int64_t tp) {
  const std::int64_t multiple = 128 * tp;
  return (vocab + multiple - 1) / multiple * multiple;
}

}  // namespace flotilla::model
