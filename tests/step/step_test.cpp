#include <algorithm>

#include "sim/engine/engine.h"
#include "sim/model/flops.h"
#include "sim/model/parameters.h"
#include "sim/step/simulate.h"
#include "tests/catch.h"
#include "tests/support/models.h"

using namespace flotilla;

namespace {

// p equal stages, m microbatches, hand-overs that cost nothing. The head weighs 128 / (12 h) of a
// layer, so stages are equal to 1e-4.
config::Scenario equal_stages(std::int64_t p, std::int64_t m, std::int64_t v,
                              config::ScheduleKind schedule) {
  config::Scenario s = test::small_scenario();
  s.model.hidden = 8192;
  s.model.heads = 64;
  s.model.kv_heads = 64;
  s.model.head_dim = 128;
  s.model.ffn = 4 * 8192;
  s.model.vocab = 128;
  s.model.layers = p * v * 8;
  s.layout.pp = p;
  s.layout.vpp = v;
  s.layout.gpus = p;
  s.layout.schedule = schedule;
  s.training.global_batch = m;
  s.platform.node.link.bandwidth = BytesPerSecond(1e18);
  s.platform.node.nic.bandwidth = BytesPerSecond(1e18);
  return test::finish(s);
}

double bubble(const config::Scenario& s) { return step::simulate(s).summary.bubble_fraction; }

}  // namespace

TEST_CASE("the bubble of gpipe and 1f1b is (p - 1) / (m + p - 1)") {
  for (auto schedule : {config::ScheduleKind::gpipe, config::ScheduleKind::one_f_one_b}) {
    for (auto [p, m] : {std::pair{2, 1}, {2, 8}, {4, 4}, {4, 16}, {8, 3}}) {
      const double expected = double(p - 1) / (m + p - 1);
      CHECK(bubble(equal_stages(p, m, 1, schedule)) == Approx(expected).epsilon(2e-3));
    }
  }
}

TEST_CASE("the bubble of interleaved 1f1b is (p - 1) / (v m + p - 1)") {
  for (auto [p, m, v] : {std::tuple{2, 4, 2}, {4, 8, 2}, {4, 4, 3}, {8, 16, 2}}) {
    const double expected = double(p - 1) / (v * m + p - 1);
    const auto s = equal_stages(p, m, v, config::ScheduleKind::interleaved);
    CHECK(bubble(s) == Approx(expected).epsilon(2e-3));
  }
}

TEST_CASE("one GPU at its peak takes FLOPs / peak") {
  config::Scenario s = equal_stages(1, 2, 1, config::ScheduleKind::one_f_one_b);
  s.training.attention = config::Attention::unfused;  // executes the whole square, as it is counted
  const auto summary = step::simulate(s).summary;
  CHECK(summary.step.value() == Approx(model::model_flops(s).value() / 100e12).epsilon(1e-3));
  CHECK(summary.mfu == Approx(1).epsilon(1e-3));
}

TEST_CASE("the breakdown adds up to the step time") {
  for (const char* name : {"llama3-405b-16k-h100", "korthikanti/175b-selective",
                           "two-cards-8-microbatches", "two-cards-tensor"}) {
    const auto summary = step::simulate(test::shipped_scenario(name)).summary;
    CHECK(summary.breakdown.total().value() == Approx(summary.step.value()).epsilon(1e-9));
  }
}

TEST_CASE("gradients that overlap with nothing cost their all-reduce: 2 (n-1)/n S/B") {
  config::Scenario s = test::small_scenario();
  s.layout.gpus = 8;
  s.training.global_batch = 8;
  s = test::finish(s);
  s.layout.overlap_gradients = false;
  const double bytes = model::total_parameters(s.model) * 4;
  const auto summary = step::simulate(s).summary;
  CHECK(summary.breakdown.dp_exposed.value() == Approx(2 * 7.0 / 8 * bytes / 100e9).epsilon(1e-6));
}

TEST_CASE("over the network the slower NIC decides") {
  // 8 nodes of one GPU: NIC 10 GB/s instead of the node's 100.
  config::Scenario s = test::small_scenario();
  s.platform = test::ideal_platform(1, 8);
  s.layout.gpus = 8;
  s.training.global_batch = 8;
  s = test::finish(s);
  s.layout.overlap_gradients = false;
  const double bytes = model::total_parameters(s.model) * 4;
  const auto summary = step::simulate(s).summary;
  CHECK(summary.breakdown.dp_exposed.value() == Approx(2 * 7.0 / 8 * bytes / 10e9).epsilon(1e-6));
}

TEST_CASE("ZeRO-1 reduces and gathers halves: reduce-scatter of gradients, all-gather of weights") {
  config::Scenario s = test::small_scenario();
  s.layout.gpus = 8;
  s.layout.zero = 1;
  s.training.global_batch = 8;
  s = test::finish(s);
  s.layout.overlap_gradients = false;
  s.layout.overlap_parameters = false;
  const double parameters = model::total_parameters(s.model);
  const auto summary = step::simulate(s).summary;
  // (n-1)/n (4 + 2) bytes a parameter over B.
  CHECK(summary.breakdown.dp_exposed.value() ==
        Approx(7.0 / 8 * parameters * 6 / 100e9).epsilon(1e-6));
}

TEST_CASE("ZeRO-2 reduces after every run of backward passes, ZeRO-1 once") {
  config::Scenario s = test::small_scenario();
  s.layout.gpus = 2;
  s.layout.zero = 1;
  s.training.global_batch = 8;
  s = test::finish(s);
  const auto reductions = [](const config::Scenario& scenario) {
    const auto simulation = step::simulate(scenario);
    const auto& ops = simulation.step.graph.ops();
    return std::count_if(ops.begin(), ops.end(), [](const graph::Op& op) {
      return op.purpose == graph::Purpose::gradient_reduce;
    });
  };
  CHECK(reductions(s) == 1);
  s.layout.zero =
      2;  // 1f1b on one stage: forward and backward in turn, four microbatches a replica
  CHECK(reductions(s) == 4);
  s.layout.schedule = config::ScheduleKind::gpipe;  // all backward passes in a row
  CHECK(reductions(s) == 1);
}

TEST_CASE("overlapped buckets hide all but what the last one leaves") {
  config::Scenario s = test::small_scenario();
  s.model.layers = 16;
  s.layout.gpus = 8;
  s.training.global_batch = 8 * 8;
  s.training.micro_batch = 8;
  s = test::finish(s);
  s.layout.overlap_gradients = false;
  const auto apart = step::simulate(s).summary;
  s.layout.overlap_gradients = true;
  s.layout.gradient_bucket = Bytes(1);  // a bucket a layer
  const auto beside = step::simulate(s).summary;
  CHECK(beside.step < apart.step);
  CHECK(beside.breakdown.compute.value() == Approx(apart.breakdown.compute.value()));
  // The last bucket, one layer with the embedding, cannot hide; the ring moves 2 x 7/8 of it.
  const double last =
      model::layer_parameters(s.model).total() + model::embedding_parameters(s.model).total();
  CHECK(beside.breakdown.dp_exposed.value() >= 2 * 7.0 / 8 * last * 4 / 100e9 * 0.999);
}

TEST_CASE("tied embeddings are summed between the first and the last stage") {
  config::Scenario s = equal_stages(2, 2, 1, config::ScheduleKind::one_f_one_b);
  s.model.tied_embeddings = true;
  s.platform.node.link.bandwidth = BytesPerSecond(1e9);
  const auto simulation = step::simulate(s);
  int found = 0;
  for (const graph::Op& op : simulation.step.graph.ops()) {
    if (op.purpose == graph::Purpose::embedding_reduce) ++found;
  }
  CHECK(found == 1);
  // V h gradients of 4 bytes, sent once each way.
  const auto& lines = simulation.summary.collectives;
  const auto line = std::find_if(lines.begin(), lines.end(),
                                 [](const auto& l) { return l.group == "embedding"; });
  REQUIRE(line != lines.end());
  CHECK(line->time.value() == Approx(128.0 * 8192 * 4 / 1e9).epsilon(1e-6));
}

TEST_CASE("a blocking hand-over holds up its sender, an overlapped one does not") {
  config::Scenario s = equal_stages(2, 8, 1, config::ScheduleKind::one_f_one_b);
  s.platform.node.link.bandwidth = BytesPerSecond(1e9);
  s.layout.overlap_p2p = true;
  const auto beside = step::simulate(s).summary;
  s.layout.overlap_p2p = false;
  const auto blocking = step::simulate(s).summary;
  CHECK(blocking.step > beside.step);
  CHECK(blocking.breakdown.pp_exposed > beside.breakdown.pp_exposed);
}

TEST_CASE("without contention the engine takes the critical path of the graph") {
  const auto simulation = step::simulate(equal_stages(4, 8, 2, config::ScheduleKind::interleaved));
  CHECK(simulation.timeline.makespan.value() ==
        Approx(graph::critical_path(simulation.step.graph).value()).epsilon(1e-9));
}

TEST_CASE("every slower part makes the step slower") {
  const config::Scenario base = test::shipped_scenario("korthikanti/175b-selective");
  const Seconds step = step::simulate(base).summary.step;
  const auto slower = [&](auto change) {
    config::Scenario s = base;
    change(s);
    return step::simulate(s).summary.step > step;
  };
  CHECK(slower([](auto& s) { s.platform.gpu.memory_bandwidth *= 0.5; }));
  CHECK(slower([](auto& s) { s.platform.gpu.gemm.efficiency *= 0.5; }));
  CHECK(slower([](auto& s) { s.platform.node.link.bandwidth *= 0.5; }));
  CHECK(slower([](auto& s) { s.platform.node.nic.bandwidth *= 0.5; }));
  CHECK(slower([](auto& s) { s.layout.recompute = config::Recompute::full; }));
}

TEST_CASE("the same scenario gives the same step, to the last bit") {
  const config::Scenario s = test::shipped_scenario("korthikanti/175b-full");
  CHECK(step::simulate(s).summary.step == step::simulate(s).summary.step);
}
