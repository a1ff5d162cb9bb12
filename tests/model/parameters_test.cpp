#include "sim/model/parameters.h"

#include "sim/config/load.h"
#include "tests/catch.h"
#include "tests/support/models.h"

using namespace flotilla;
using namespace flotilla::model;

TEST_CASE("Llama-3.1 has the parameter counts of its published checkpoints") {
  CHECK(total_parameters(test::shipped_model("llama3.1-8b")) == 8'030'261'248.0);
  CHECK(total_parameters(test::shipped_model("llama3.1-70b")) == 70'553'706'496.0);
  CHECK(total_parameters(test::shipped_model("llama3.1-405b")) == 405'853'388'800.0);
}

TEST_CASE("GPT models have 12 L h^2 (1 + 13/(12 h)) + (V + s) h parameters") {
  // Narayanan et al. 2021, equation 2: P = 12 l h^2 (1 + 13/(12 h) + (V + s)/(12 l h)), which
  // leaves out the final norm's 2 h.
  for (const char* name : {"gpt3-175b", "megatron-22b", "megatron-530b", "megatron-1t"}) {
    const config::Model m = test::shipped_model(name);
    const auto h = static_cast<double>(m.hidden);
    const auto l = static_cast<double>(m.layers);
    const double vs = static_cast<double>(m.vocab + m.max_positions);
    const double formula = 12 * l * h * h * (1 + 13 / (12 * h) + vs / (12 * l * h));
    CHECK(total_parameters(m) == Approx(formula + 2 * h).epsilon(1e-12));
  }
}

TEST_CASE("tied embeddings are counted once") {
  config::Model m = test::small_model();
  m.tied_embeddings = false;
  const double untied = total_parameters(m);
  m.tied_embeddings = true;
  CHECK(untied - total_parameters(m) == static_cast<double>(m.vocab * m.hidden));
}

TEST_CASE("the slices of all tensor ranks hold every sliced parameter once") {
  const Parameters p = layer_parameters(test::small_model());
  for (int tp : {1, 2, 4, 8}) {
    CHECK(p.per_rank(tp) * tp - p.replicated * (tp - 1) == Approx(p.total()).epsilon(1e-12));
  }
}

TEST_CASE("vocabularies are padded to a multiple of 128 a tensor rank") {
  CHECK(padded_vocab(50257, 1) == 50304);
  CHECK(padded_vocab(50257, 8) == 51200);
  CHECK(padded_vocab(51200, 8) == 51200);
}
