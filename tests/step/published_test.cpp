// Measurements that the model was not fitted to; see docs/validation.md.
#include "sim/model/layer.h"
#include "sim/step/block.h"
#include "sim/step/groups.h"
#include "sim/step/simulate.h"
#include "tests/catch.h"
#include "tests/support/models.h"

using namespace flotilla;

TEST_CASE("Korthikanti et al. 2022, table 5: iteration times within 12 %") {
  struct Row {
    const char* scenario;
    double seconds;
  };
  for (const Row& row :
       {Row{"korthikanti/22b-full", 1.42}, Row{"korthikanti/22b-selective", 1.10},
        Row{"korthikanti/175b-full", 18.13}, Row{"korthikanti/175b-selective", 13.75},
        Row{"korthikanti/530b-full", 49.05}, Row{"korthikanti/530b-selective", 37.83},
        Row{"korthikanti/1t-full", 94.42}, Row{"korthikanti/1t-selective", 71.49}}) {
    INFO(row.scenario);
    const auto summary = step::simulate(test::shipped_scenario(row.scenario)).summary;
    CHECK(summary.step.value() == Approx(row.seconds).epsilon(0.12));
  }
}

TEST_CASE("Llama 3 herd, table 4: 430 and 400 TFLOP/s a GPU within 8 %") {
  const auto tflops = [](const char* name) {
    return step::simulate(test::shipped_scenario(name)).summary.flops_per_gpu.value() / 1e12;
  };
  CHECK(tflops("llama3-405b-8k-h100") == Approx(430).epsilon(0.08));
  CHECK(tflops("llama3-405b-16k-h100") == Approx(400).epsilon(0.08));
}

TEST_CASE("Korthikanti et al. 2022, table 4: one layer of the 22B model within 5 %") {
  struct Row {
    bool sequence_parallel;
    config::Recompute recompute;
    double forward_ms, backward_ms;
  };
  using config::Recompute;
  for (const Row& row :
       {Row{false, Recompute::none, 7.7, 11.9}, Row{true, Recompute::none, 7.2, 11.8},
        Row{false, Recompute::full, 7.7, 19.5}, Row{false, Recompute::selective, 7.7, 13.2},
        Row{true, Recompute::selective, 7.2, 13.1}}) {
    config::Scenario s = test::shipped_scenario("korthikanti/22b-full");
    s.layout.sequence_parallel = row.sequence_parallel;
    s.layout.recompute = row.recompute;
    const layout::Mesh mesh(s.layout);
    const topology::Fabric fabric(s.platform);
    step::CollectiveTable table;
    const step::BlockTimer timer(s, step::tensor_site(s, mesh, fabric).placement, table);
    const auto ms = [&](const model::Program& p) { return timer.time(p).total().value() * 1e3; };
    CHECK(ms(model::layer_forward(s.model, model::slice_of(s))) ==
          Approx(row.forward_ms).epsilon(0.05));
    CHECK(ms(model::layer_backward(s.model, model::slice_of(s))) ==
          Approx(row.backward_ms).epsilon(0.05));
  }
}

TEST_CASE("vTrain's measured GPT-3 175B steps on 512 A100 within 5 %") {
  // VIA-Research/vTrain, validation set: Megatron-DeepSpeed, 1f1b, full recomputation, global batch
  // 1,536 of 2,048 tokens, 800 Gb/s a server. One row of each tensor x pipeline layout.
  struct Row {
    std::int64_t tp, pp, micro_batch;
    double seconds;
  };
  for (const Row& row : {Row{4, 16, 2, 54.2559}, Row{4, 32, 2, 53.9096}, Row{2, 32, 2, 57.4112},
                         Row{8, 8, 2, 55.1096}, Row{8, 16, 4, 57.5043}, Row{8, 32, 6, 62.6368}}) {
    INFO("tp " << row.tp << " pp " << row.pp << " micro_batch " << row.micro_batch);
    config::Scenario s = test::shipped_scenario(
        "korthikanti/175b-full",
        {"layout.gpus=512", "layout.tp=" + std::to_string(row.tp), "layout.vpp=1",
         "layout.pp=" + std::to_string(row.pp), "layout.schedule=1f1b",
         "layout.overlap_gradients=false", "training.global_batch=1536",
         "training.micro_batch=" + std::to_string(row.micro_batch), "platform.node.nics=4"});
    CHECK(step::simulate(s).summary.step.value() == Approx(row.seconds).epsilon(0.05));
  }
}
