#include "sim/config/read.h"

namespace flotilla::config {

namespace {

// The largest values that make sense; they also keep every product of a few of them finite.
constexpr Range kLayers = {1, 100'000};
constexpr Range kHeads = {1, 100'000};
constexpr Range kWidth = {1, 10'000'000};
constexpr Range kVocabulary = {1, 100'000'000};
constexpr Range kTokens = {1, 1'000'000'000};

void check_heads(Reader& in, Model& model) {
  const bool sound =
      in.sound("heads") && in.sound("hidden") && in.sound("kv_heads") && in.sound("head_dim");
  if (!sound) return;
  const std::string heads = std::to_string(model.heads);
  if (!in.has("head_dim")) {
    if (model.hidden % model.heads != 0) {
      in.fault("heads",
               "hidden " + std::to_string(model.hidden) + " is not a multiple of heads " + heads,
               "give \"head_dim\" when it is not hidden / heads");
      return;
    }
    model.head_dim = model.hidden / model.heads;
  }
  if (!in.has("kv_heads")) {
    model.kv_heads = model.heads;
  } else if (model.heads % model.kv_heads != 0) {
    in.fault("kv_heads",
             "heads " + heads + " is not a multiple of kv_heads " + std::to_string(model.kv_heads));
  }
}

}  // namespace

void read_model(Reader& in, Model& model) {
  in.require({"layers", "hidden", "heads", "ffn", "vocab"});
  in.text("name", model.name);
  in.source(model.source);
  in.count("layers", model.layers, kLayers);
  in.count("hidden", model.hidden, kWidth);
  in.count("heads", model.heads, kHeads);
  in.count("kv_heads", model.kv_heads, kHeads);
  in.count("head_dim", model.head_dim, kHeads);
  in.count("ffn", model.ffn, kWidth);
  in.count("vocab", model.vocab, kVocabulary);
  in.choice("activation", model.activation,
            Choices<Activation>{{"gelu", Activation::gelu},
                                {"relu", Activation::relu},
                                {"swiglu", Activation::swiglu},
                                {"geglu", Activation::geglu}});
  in.choice("norm", model.norm,
            Choices<Norm>{{"layernorm", Norm::layernorm}, {"rmsnorm", Norm::rmsnorm}});
  in.choice("positions", model.positions,
            Choices<Positions>{{"learned", Positions::learned},
                               {"rotary", Positions::rotary},
                               {"none", Positions::none}});
  in.count("max_positions", model.max_positions, kTokens);
  in.flag("biases", model.biases);
  in.flag("tied_embeddings", model.tied_embeddings);
  in.flag("dropout", model.dropout);
  in.count("sequence_length", model.sequence_length, kTokens);
  check_heads(in, model);
  if (!in.sound("positions") || !in.sound("max_positions")) return;
  if (model.positions == Positions::learned && !in.has("max_positions")) {
    in.fault("positions", "a learned position table needs its size",
             "give \"max_positions\", the longest sequence");
  }
  if (model.positions != Positions::learned && in.has("max_positions")) {
    in.fault("max_positions", "this is the size of a learned position table, and there is none",
             "leave it away, or set \"positions\": \"learned\"");
  }
}

}  // namespace flotilla::config
