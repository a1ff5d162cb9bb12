#include <set>

#include "sim/layout/memory.h"
#include "sim/layout/mesh.h"
#include "sim/layout/stages.h"
#include "sim/step/step_graph.h"
#include "tests/catch.h"
#include "tests/support/models.h"

using namespace flotilla;
using namespace flotilla::layout;

namespace {

config::Layout layout_of(std::int64_t tp, std::int64_t dp, std::int64_t pp,
                         config::RankOrder order = config::RankOrder::tp_cp_dp_pp) {
  config::Layout l;
  l.tp = tp;
  l.dp = dp;
  l.pp = pp;
  l.gpus = tp * dp * pp;
  l.rank_order = order;
  return l;
}

}  // namespace

TEST_CASE("a rank's coordinates lead back to the rank") {
  for (auto order : {config::RankOrder::tp_cp_dp_pp, config::RankOrder::tp_cp_pp_dp}) {
    const Mesh mesh(layout_of(4, 3, 5, order));
    REQUIRE(mesh.size() == 60);
    for (Rank r = 0; r < mesh.size(); ++r) CHECK(mesh.rank(mesh.coordinates(r)) == r);
  }
}

TEST_CASE("tensor ranks are neighbours, the order decides what comes next") {
  const Mesh megatron(layout_of(2, 3, 4));
  CHECK(megatron.tp_group({}) == std::vector<Rank>{0, 1});
  CHECK(megatron.dp_group({}) == std::vector<Rank>{0, 2, 4});
  const Mesh llama(layout_of(2, 3, 4, config::RankOrder::tp_cp_pp_dp));
  CHECK(llama.dp_group({}) == std::vector<Rank>{0, 8, 16});
}

TEST_CASE("the groups of a kind hold every rank once") {
  const Mesh mesh(layout_of(2, 3, 4));
  std::set<Rank> seen;
  for (const Coordinates& at : mesh.dp_groups()) {
    for (Rank r : mesh.dp_group(at)) CHECK(seen.insert(r).second);
  }
  CHECK(seen.size() == 24);
}

TEST_CASE("every layer is in exactly one virtual stage") {
  for (std::int64_t pp : {1, 2, 4, 8}) {
    for (std::int64_t vpp : {1, 2, 4}) {
      config::Scenario s = test::small_scenario();
      s.model.layers = pp * vpp * 3;
      s.layout.pp = pp;
      s.layout.vpp = vpp;
      s.layout.gpus = pp;
      s = test::finish(s);
      std::int64_t next = 0;
      for (const VirtualStage& stage : virtual_stages(s.layout)) {
        CHECK(stage.first_layer == next);
        next += stage.layers;
      }
      CHECK(next == s.model.layers);
    }
  }
}

TEST_CASE("the stages store the model once, a tied head twice") {
  for (bool tied : {false, true}) {
    config::Scenario s = test::small_scenario();
    s.model.tied_embeddings = tied;
    s.layout.pp = 4;
    s.layout.gpus = 4;
    s = test::finish(s);
    double stored = 0;
    for (const VirtualStage& stage : virtual_stages(s.layout)) {
      stored += stored_parameters(s.model, s.layout, stage).total();
    }
    const double copy = tied ? 1024.0 * 512 : 0;
    CHECK(stored == Approx(model::total_parameters(s.model) + copy));
  }
}

TEST_CASE("ZeRO 0, 1 and 2 take 120, 31.4 and 16.6 GB for 7.5e9 parameters on 64 GPUs") {
  // Rajbhandari et al. 2020, figure 1: (2 + 2 + 12), (2 + 2 + 12/64), (2 + 14/64) x 7.5e9.
  config::Layout layout = layout_of(1, 64, 1);
  config::Training training;
  training.precision = config::Precision::fp16;
  training.gradient_precision = config::Precision::fp16;
  CHECK(state_bytes(7.5e9, layout, training).total().value() == Approx(120e9));
  layout.zero = 1;
  CHECK(state_bytes(7.5e9, layout, training).total().value() == Approx(31.4e9).epsilon(1e-3));
  layout.zero = 2;
  CHECK(state_bytes(7.5e9, layout, training).total().value() == Approx(16.6e9).epsilon(5e-3));
}

TEST_CASE("fp32 gradients take 18 bytes a parameter, an fp32 run 16") {
  config::Training training;
  CHECK(state_bytes(1, layout_of(1, 1, 1), training).total() == Bytes(18));
  training.precision = config::Precision::fp32;
  CHECK(state_bytes(1, layout_of(1, 1, 1), training).total() == Bytes(16));
}

TEST_CASE("ZeRO-2 holds a chunk's gradients whole while backward passes in a row add up") {
  config::Scenario s = test::small_scenario();
  s.layout.zero = 2;
  s.layout.gpus = 2;
  s.training.global_batch = 8;
  s = test::finish(s);
  s.layout.gradient_bucket = Bytes(1);
  const double layer = model::layer_parameters(s.model).total();
  // 1f1b on one stage alternates: a bucket, at least one layer of fp32 gradients.
  const auto one = step::make_schedule(s);
  CHECK(unreduced_gradients(s, one.ranks[0], 10 * layer).value() == Approx(4 * layer));
  s.layout.schedule = config::ScheduleKind::gpipe;
  const auto all = step::make_schedule(s);
  CHECK(unreduced_gradients(s, all.ranks[0], 10 * layer).value() == Approx(40 * layer));
  s.layout.zero = 1;
  CHECK(unreduced_gradients(s, all.ranks[0], 10 * layer) == Bytes(0));
}

TEST_CASE("1f1b keeps the activations of p - rank microbatches, gpipe of all") {
  config::Scenario s = test::small_scenario();
  s.model.layers = 8;
  s.layout.pp = 4;
  s.layout.gpus = 4;
  s.training.global_batch = 16;
  s = test::finish(s);
  const auto one = stage_memory(s, step::make_schedule(s));
  s.layout.schedule = config::ScheduleKind::gpipe;
  const auto all = stage_memory(s, step::make_schedule(s));
  // The stages between the ends hold equal layers and nothing else.
  CHECK(one[1].activations.value() == Approx(3.0 / 16 * all[1].activations.value()));
  CHECK(one[2].activations.value() == Approx(2.0 / 16 * all[2].activations.value()));
}

TEST_CASE("ends hold their tables: stage memory counts each GPU's own parameters") {
  config::Scenario s = test::small_scenario();
  s.layout.tp = 2;
  s.layout.pp = 2;
  s.layout.gpus = 4;
  s = test::finish(s);
  const auto memory = stage_memory(s, step::make_schedule(s));
  const double layers = 2 * model::layer_parameters(s.model).per_rank(2);
  CHECK(memory[0].parameters == Approx(layers + model::embedding_parameters(s.model).per_rank(2)));
  CHECK(memory[1].parameters ==
        Approx(layers + model::head_parameters(s.model).per_rank(2) + 2 * 512));
}
