#include "sim/model/layer.h"

#include "sim/model/activations.h"
#include "sim/model/ends.h"
#include "sim/model/flops.h"
#include "tests/catch.h"
#include "tests/support/models.h"

using namespace flotilla;
using namespace flotilla::model;

namespace {

Slice slice(std::int64_t tp, bool sequence_parallel = false) {
  Slice s;
  s.tp = tp;
  s.sequence_parallel = sequence_parallel;
  s.micro_batch = 2;
  s.sequence_length = 256;
  s.attention = config::Attention::unfused;
  return s;
}

int exchanges(const Program& program, ExchangeKind kind) {
  int count = 0;
  for (const Step& step : program.steps()) {
    if (step.is_exchange && step.exchange.kind == kind) ++count;
  }
  return count;
}

config::Model gpt() {
  config::Model m = test::small_model();
  m.dropout = true;
  return m;
}

}  // namespace

TEST_CASE(
    "a GPT layer's forward pass is 24 b s h^2 + 4 b s^2 h FLOPs, its backward pass twice that") {
  const config::Model m = test::small_model();
  const double b = 2;
  const double s = 256;
  const auto h = static_cast<double>(m.hidden);
  const double forward = 24 * b * s * h * h + 4 * b * s * s * h;
  CHECK(layer_forward(m, slice(1)).flops().value() == Approx(forward));
  CHECK(layer_backward(m, slice(1)).flops().value() == Approx(2 * forward));
}

TEST_CASE("tensor parallelism divides a layer's FLOPs evenly") {
  const config::Model m = test::small_model();
  const double whole = layer_forward(m, slice(1)).flops().value();
  for (std::int64_t tp : {2, 4, 8}) {
    CHECK(layer_forward(m, slice(tp)).flops().value() * static_cast<double>(tp) == Approx(whole));
  }
}

TEST_CASE(
    "a gated layer with grouped queries multiplies 3 h f and h (a + 2 kv) d + a d h weights") {
  config::Model m = test::small_model();
  m.activation = config::Activation::swiglu;
  m.kv_heads = 2;
  Slice s = slice(1);
  s.attention = config::Attention::flash;
  const auto h = static_cast<double>(m.hidden);
  const double weights = 3 * h * static_cast<double>(m.ffn) + h * 64 * (8 + 2 * 2) + 8 * 64 * h;
  const double tokens = 2 * 256;
  const double attention = 4 * tokens * 256 * h / 2;  // the causal half is executed
  CHECK(layer_forward(m, s).flops().value() == Approx(2 * tokens * weights + attention));
}

TEST_CASE("without sequence parallelism a layer all-reduces twice forward and twice backward") {
  const config::Model m = test::small_model();
  CHECK(exchanges(layer_forward(m, slice(4)), ExchangeKind::all_reduce) == 2);
  CHECK(exchanges(layer_backward(m, slice(4)), ExchangeKind::all_reduce) == 2);
  CHECK(exchanges(layer_forward(m, slice(4)), ExchangeKind::all_gather) == 0);
}

TEST_CASE("with sequence parallelism each is a reduce-scatter and an all-gather") {
  // Backward two more gathers bring back the inputs of the column-parallel matrices.
  const config::Model m = test::small_model();
  const Program forward = layer_forward(m, slice(4, true));
  const Program backward = layer_backward(m, slice(4, true));
  CHECK(exchanges(forward, ExchangeKind::all_gather) == 2);
  CHECK(exchanges(forward, ExchangeKind::reduce_scatter) == 2);
  CHECK(exchanges(backward, ExchangeKind::all_gather) == 4);
  CHECK(exchanges(backward, ExchangeKind::reduce_scatter) == 2);
  CHECK(exchanges(forward, ExchangeKind::all_reduce) == 0);
}

TEST_CASE("every exchange moves s b h elements, whatever the slice") {
  const config::Model m = test::small_model();
  for (bool sequence : {false, true}) {
    const Program program = layer_backward(m, slice(4, sequence));
    for (const Step& step : program.steps()) {
      if (step.is_exchange) CHECK(step.exchange.bytes.value() == 2 * 256 * 512 * 2.0);
    }
  }
}

TEST_CASE("one tensor rank exchanges nothing") {
  const config::Model m = test::small_model();
  for (const auto& program :
       {layer_forward(m, slice(1)), layer_backward(m, slice(1)), embedding_forward(m, slice(1)),
        head_forward(m, slice(1)), head_backward(m, slice(1)), embedding_backward(m, slice(1))}) {
    for (const Step& step : program.steps()) CHECK_FALSE(step.is_exchange);
  }
}

TEST_CASE("full recomputation runs the forward pass again, exchanges included") {
  const config::Model m = gpt();
  Slice s = slice(4);
  const double once = layer_backward(m, s).flops().value();
  s.recompute = config::Recompute::full;
  const Program again = layer_backward(m, s);
  CHECK(again.flops().value() == Approx(once + layer_forward(m, s).flops().value()));
  CHECK(exchanges(again, ExchangeKind::all_reduce) == 4);
}

TEST_CASE("selective recomputation runs the core attention again: 4 b s^2 h FLOPs") {
  const config::Model m = gpt();
  Slice s = slice(1);
  const double once = layer_backward(m, s).flops().value();
  s.recompute = config::Recompute::selective;
  CHECK(layer_backward(m, s).flops().value() - once == Approx(4.0 * 2 * 256 * 256 * 512));
}

TEST_CASE("unfused gradient accumulation is a kernel of its own for each weight matrix") {
  const config::Model m = test::small_model();
  Slice s = slice(1);
  const auto fused = layer_backward(m, s).steps().size();
  s.fused_gradients = false;
  CHECK(layer_backward(m, s).steps().size() == fused + 4);
}

TEST_CASE("exchanges that do not overlap are waited for by the very next kernel") {
  Slice s = slice(4, true);
  s.overlap_exchanges = false;
  const Program p = layer_backward(test::small_model(), s);
  for (std::size_t i = 0; i + 1 < p.steps().size(); ++i) {
    if (p.steps()[i].is_exchange) CHECK(p.steps()[i + 1].waits_for == static_cast<int>(i));
  }
}

TEST_CASE("activations of a layer are those of Korthikanti et al. 2022, table 2") {
  const config::Model m = gpt();
  const double sbh = 256.0 * 2 * 512;
  const double as_h = 8.0 * 256 / 512;
  for (std::int64_t tp : {1, 2, 8}) {
    const auto t = static_cast<double>(tp);
    // Tensor parallelism: s b h (10 + 24/t + 5 a s / (h t)).
    CHECK(layer_activations(m, slice(tp)).value() == Approx(sbh * (10 + 24 / t + 5 * as_h / t)));
    // With sequence parallelism: (s b h / t) (34 + 5 a s / h).
    CHECK(layer_activations(m, slice(tp, true)).value() == Approx(sbh / t * (34 + 5 * as_h)));
    // Selective recomputation on top: 34 s b h / t.
    Slice s = slice(tp, true);
    s.recompute = config::Recompute::selective;
    CHECK(layer_activations(m, s).value() == Approx(34 * sbh / t));
    // Full recomputation: 2 s b h.
    s = slice(tp);
    s.recompute = config::Recompute::full;
    CHECK(layer_activations(m, s).value() == Approx(2 * sbh));
  }
}

TEST_CASE("with fused attention selective recomputation saves nothing more") {
  Slice s = slice(4, true);
  s.attention = config::Attention::flash;
  const Bytes kept = layer_activations(gpt(), s);
  s.recompute = config::Recompute::selective;
  CHECK(layer_activations(gpt(), s) == kept);
}

TEST_CASE("model FLOPs are 72 B L s h^2 (1 + s/(6h) + V/(12 h L))") {
  // Korthikanti et al. 2022, appendix A.
  config::Scenario scenario = test::small_scenario();
  const double B = 1;
  const double L = 4;
  const double s = 256;
  const double h = 512;
  const double V = 1024;
  const double formula = 72 * B * L * s * h * h * (1 + s / (6 * h) + V / (12 * h * L));
  CHECK(model_flops(scenario).value() == Approx(formula));
  // Counted causally, the attention term is half as large.
  scenario.training.attention_flops = config::AttentionFlops::causal;
  CHECK(model_flops(scenario).value() ==
        Approx(72 * B * L * s * h * h * (1 + s / (12 * h) + V / (12 * h * L))));
}

TEST_CASE("hardware FLOPs add what is computed twice") {
  // Selective: s/(3h) instead of s/(6h) in the same formula. Full: 96 instead of 72 for the layers.
  config::Scenario scenario = test::small_scenario();
  const double layers = 72.0 * 4 * 256 * 512 * 512;
  const double model = model_flops(scenario).value();
  CHECK(hardware_flops(scenario).value() == model);
  scenario.layout.recompute = config::Recompute::selective;
  CHECK(hardware_flops(scenario).value() == Approx(model + layers * 256 / (18.0 * 512)));
  scenario.layout.recompute = config::Recompute::full;
  CHECK(hardware_flops(scenario).value() ==
        Approx(model + layers * (1 + 256.0 / (6 * 512)) * 24 / 72));
}
