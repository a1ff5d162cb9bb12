// Folded fidelity is held to full fidelity, in which every GPU and every transfer is simulated.
#include "sim/step/simulate.h"
#include "tests/catch.h"
#include "tests/support/models.h"

using namespace flotilla;

namespace {

struct Shape {
  std::int64_t tp, pp, dp;
  std::int64_t node, nics;
  double oversubscription;
  int zero;
  std::int64_t vpp = 1;
  config::RankOrder order = config::RankOrder::tp_cp_dp_pp;
};

// A GPT of 8 layers on A100 servers in two halves of a network, `microbatches` of two sequences.
config::Scenario scenario_of(const Shape& shape, std::int64_t microbatches) {
  config::Scenario s = test::shipped_scenario("korthikanti/22b-selective");
  s.model = test::small_model();
  s.model.layers = 8;
  s.model.hidden = 1024;
  s.model.heads = 16;
  s.model.kv_heads = 16;
  s.model.ffn = 4096;
  s.model.tied_embeddings = true;
  s.training.sequence_length = 256;
  s.training.micro_batch = 2;
  s.training.global_batch = 2 * microbatches * shape.dp;
  s.layout.tp = shape.tp;
  s.layout.pp = shape.pp;
  s.layout.vpp = shape.vpp;
  s.layout.gpus = shape.tp * shape.pp * shape.dp;
  s.layout.zero = shape.zero;
  s.layout.schedule =
      shape.vpp > 1 ? config::ScheduleKind::interleaved : config::ScheduleKind::one_f_one_b;
  s.layout.rank_order = shape.order;
  s.layout.gradient_bucket = Bytes(1e6);
  s.platform.node.gpus = shape.node;
  s.platform.node.nics = shape.nics;
  s.platform.nodes = std::max<std::int64_t>(1, s.layout.gpus / shape.node);
  s.platform.tiers = {{.name = "half",
                       .nodes = std::max<std::int64_t>(1, s.platform.nodes / 2),
                       .oversubscription = shape.oversubscription,
                       .latency = Seconds(1e-6)}};
  return test::finish(s);
}

void check_agreement(const config::Scenario& s) {
  const auto folded = step::simulate(s).summary;
  const auto full = step::simulate(s, step::Fidelity::full).summary;
  CHECK(folded.step.value() == Approx(full.step.value()).epsilon(0.01));
  CHECK(full.breakdown.total().value() == Approx(full.step.value()).epsilon(1e-9));
  CHECK(full.engine.ranks_simulated == s.layout.gpus);
}

}  // namespace

TEST_CASE("folded and full agree within 1 % on symmetric scenarios of 8 to 64 GPUs") {
  using config::RankOrder;
  int configurations = 0;
  for (const Shape& shape :
       {Shape{1, 1, 8, 8, 8, 1, 0}, Shape{2, 1, 4, 8, 8, 1, 1}, Shape{4, 1, 2, 8, 4, 1, 2},
        Shape{8, 1, 1, 8, 8, 1, 0}, Shape{1, 2, 8, 8, 8, 2, 1}, Shape{1, 4, 4, 4, 2, 2, 0},
        Shape{2, 2, 4, 4, 4, 4, 1}, Shape{4, 2, 4, 8, 4, 2, 2}, Shape{8, 2, 4, 8, 8, 8, 1},
        Shape{16, 2, 2, 8, 8, 2, 1}, Shape{2, 8, 4, 8, 8, 8, 1}, Shape{1, 1, 64, 8, 4, 4, 1},
        Shape{2, 4, 4, 4, 1, 1, 0, 2}, Shape{1, 4, 8, 8, 2, 1, 0, 2, RankOrder::tp_cp_pp_dp},
        Shape{4, 4, 4, 2, 2, 1, 1, 1, RankOrder::tp_cp_pp_dp},
        Shape{2, 4, 8, 8, 8, 4, 2, 2, RankOrder::tp_cp_pp_dp}}) {
    for (const bool sequence_parallel : {false, true}) {
      for (const std::int64_t rounds : {1, 2}) {
        config::Scenario s = scenario_of(shape, rounds * shape.pp);
        s.layout.sequence_parallel = sequence_parallel;
        INFO("tp " << shape.tp << " pp " << shape.pp << " dp " << shape.dp << " node " << shape.node
                   << " NICs " << shape.nics << " zero " << shape.zero << " vpp " << shape.vpp
                   << " microbatches " << rounds * shape.pp);
        check_agreement(s);
        ++configurations;
      }
    }
  }
  CHECK(configurations >= 60);
}

TEST_CASE("folded and full agree when nothing overlaps") {
  config::Scenario s = scenario_of({2, 2, 4, 8, 8, 2, 1}, 4);
  s.layout.overlap_gradients = false;
  s.layout.overlap_parameters = false;
  s.layout.overlap_p2p = false;
  s.layout.overlap_tensor = false;
  check_agreement(s);
}

TEST_CASE("tensor groups that leave their node meet gradients on its NICs") {
  // tp 8 over nodes of 4: the exchanges of the last backward pass share the NICs with the buckets,
  // so the step takes longer than with gradients that move when nothing else does, bucket for
  // bucket.
  config::Scenario s = scenario_of({8, 1, 4, 4, 4, 1, 0}, 2);
  check_agreement(s);
  const auto summary = step::simulate(s).summary;
  for (const auto& line : summary.collectives) {
    if (line.group == "tp") CHECK(line.where == "NVLink + network");
  }
}

TEST_CASE("folded and full agree within 2 % when a GPU is slow") {
  for (const Shape& shape : {Shape{1, 1, 8, 8, 8, 1, 1}, Shape{4, 2, 2, 8, 8, 1, 1},
                             Shape{2, 4, 4, 8, 8, 2, 0}, Shape{8, 2, 2, 8, 8, 1, 2}}) {
    for (const std::int64_t gpu : {std::int64_t{0}, shape.tp * shape.pp * shape.dp - 1}) {
      config::Scenario s = scenario_of(shape, 4);
      const Seconds healthy = step::simulate(s).summary.step;
      config::Degraded slow;
      slow.element = config::Degraded::Element::gpu;
      slow.gpu = gpu;
      slow.speed = 0.7;
      s.degraded = {slow};
      const Seconds folded = step::simulate(s).summary.step;
      const Seconds full = step::simulate(s, step::Fidelity::full).summary.step;
      INFO("tp " << shape.tp << " pp " << shape.pp << " dp " << shape.dp << " GPU " << gpu);
      CHECK(folded.value() == Approx(full.value()).epsilon(0.02));
      CHECK(full > healthy);
    }
  }
}
