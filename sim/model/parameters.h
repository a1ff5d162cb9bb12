// How many parameters a transformer has, and how many of them one tensor-parallel rank holds.
#pragma once

#include <cstdint>

#include "sim/config/model.h"

namespace flotilla::model {

// A parameter count split by what tensor parallelism does to it: matrices and the biases of
// column-parallel layers are sliced, norms and the biases of row-parallel layers are held by every
// rank.
struct Parameters {
  double sliced = 0;
  double replicated = 0;

  [[nodiscard]] double total() const { return sliced + replicated; }
  // Held by one of `tp` ranks.
  [[nodiscard]] double per_rank(std::int64_t tp) const {
    return sliced / static_cast<double>(tp) + replicated;
  }
  Parameters& operator+=(const Parameters& other) {
    sliced += other.sliced;
    replicated += other.replicated;
    return *this;
  }
  friend Parameters operator*(double count, Parameters p) {
    return {count * p.sliced, count * p.replicated};
  }
};

// One transformer layer: attention h (a + 2 kv) d + a d h, MLP 2 h f (3 h f when gated), two norms.
Parameters layer_parameters(const config::Model& model);
// Token table V h, and the learned position table where there is one.
Parameters embedding_parameters(const config::Model& model);
// LM head h V, whether or not it shares the embedding's storage.
Parameters head_parameters(const config::Model& model);
Parameters final_norm_parameters(const config::Model& model);

// The whole model, tied tensors counted once: the number that papers print.
double total_parameters(const config::Model& model);

// Rows of the vocabulary matrices once padded so that every tensor-parallel rank holds a multiple
// of 128 of them, as Megatron-LM pads (make-vocab-size-divisible-by, 128).
std::int64_t padded_vocab(std::int64_t vocab, std::int64_t tp);

}  // namespace flotilla::model
