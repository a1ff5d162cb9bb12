// The transformer of a scenario, as its JSON file describes it.
#pragma once

#include <cstdint>
#include <string>

namespace flotilla::config {

enum class Activation { gelu, relu, swiglu, geglu };
enum class Norm { layernorm, rmsnorm };
enum class Positions { learned, rotary, none };

struct Model {
  std::string name;
  std::string source;
  std::int64_t layers = 0;
  std::int64_t hidden = 0;    // h: width of the residual stream
  std::int64_t heads = 0;     // a: query heads
  std::int64_t kv_heads = 0;  // key/value heads; default: heads (multi-head attention)
  std::int64_t head_dim = 0;  // default: hidden / heads
  std::int64_t ffn = 0;       // inner width of the MLP
  std::int64_t vocab = 0;
  Activation activation = Activation::gelu;  // key "activation"; swiglu and geglu are gated
  Norm norm = Norm::layernorm;
  Positions positions = Positions::rotary;
  std::int64_t max_positions = 0;    // rows of a learned position table
  bool biases = false;               // biases on the linear layers
  bool tied_embeddings = false;      // LM head shares the token embedding
  bool dropout = false;              // dropout kernels run and keep their masks
  std::int64_t sequence_length = 0;  // the length it was trained with: default of training.*

  [[nodiscard]] bool gated() const {
    return activation == Activation::swiglu || activation == Activation::geglu;
  }
};

}  // namespace flotilla::config
