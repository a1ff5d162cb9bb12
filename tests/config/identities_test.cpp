// Divisibility and the identities of a layout: the numbers, and what would be legal instead.
#include <algorithm>

#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla::test;
using flotilla::config::Precision;
using flotilla::config::ScheduleKind;

TEST_CASE("tp must divide the heads, and the tp that work are listed") {
  // 52 heads on tp 8, 28 heads on tp 8: the reports that ask for such lists.
  const Overrides llama30 = {"model.heads=52", "model.kv_heads=52", "model.head_dim=128",
                             "model.ffn=13312", "layout.tp=8"};
  const std::string text = refusal(legal_scenario(), llama30);
  CHECK_THAT(text, contains("--set layout.tp=8"));
  CHECK_THAT(text, contains("tp 8 does not divide heads 52"));
  CHECK_THAT(text, contains("tp that work for this model: 1, 2, 4, 13, 26, 52"));
  const std::string qwen =
      refusal(legal_scenario(), {"model.heads=28", "model.kv_heads=28", "model.head_dim=128",
                                 "model.ffn=18928", "layout.tp=8"});
  CHECK_THAT(qwen, contains("tp that work for this model: 1, 2, 4, 7, 14, 28"));
}

TEST_CASE("kv heads are split over tp or replicated, but never cut") {
  // 16 heads, 8 kv heads: tp 16 replicates them.
  CHECK(load_text(legal_scenario(), {"layout.tp=16", "layout.pp=1"}).layout.tp == 16);
  const std::string text = refusal(
      legal_scenario(), {"model.heads=24", "model.kv_heads=6", "model.head_dim=64", "layout.tp=4"});
  CHECK_THAT(text, contains("neither of tp 4 and kv_heads 6 divides the other"));
  CHECK_THAT(refusal(legal_scenario(), {"model.kv_heads=5"}),
             contains("heads 16 is not a multiple of kv_heads 5"));
}

TEST_CASE("tp must divide the MLP, and heads the hidden width") {
  CHECK_THAT(refusal(legal_scenario(), {"model.ffn=4098"}),
             contains("tp 4 does not divide ffn 4098"));
  CHECK_THAT(refusal(legal_scenario(), {"model.hidden=1000"}),
             contains("hidden 1000 is not a multiple of heads 16"));
  CHECK_NOTHROW(load_text(legal_scenario(), {"model.hidden=1000", "model.head_dim=64"}));
}

TEST_CASE("gpus must be whole replicas, and the nearest legal counts are given") {
  const std::string text = refusal(legal_but("\"gpus\": 16", "\"gpus\": 20"));
  CHECK_THAT(text, contains("mine.json:20:23  layout.gpus"));
  CHECK_THAT(text, contains("gpus 20 is not a multiple of tp 4 x pp 2 x cp 1 = 8"));
  CHECK_THAT(text, contains("nearest that work: 16, 24"));
}

TEST_CASE("gpus beyond the platform are refused with what it has") {
  const std::string text = refusal(legal_scenario(), {"layout.gpus=64"});
  CHECK_THAT(text, contains("gpus 64 is more than the platform has: 32 (4 nodes of 8)"));
  CHECK_THAT(text, contains("at most 32"));
  // Nothing above the platform is offered as the nearest legal count.
  CHECK_THAT(refusal(legal_scenario(), {"layout.gpus=33"}), contains("nearest that work: 32\n"));
}

TEST_CASE("dp follows from gpus, gpus from dp, and both must agree") {
  CHECK(load_text(legal_but("\"gpus\": 16", "\"dp\": 4")).layout.gpus == 32);
  const std::string text = refusal(legal_scenario(), {"layout.dp=3"});
  CHECK_THAT(text, contains("makes dp 2, not 3"));
  CHECK_THAT(text, contains("gpus 24"));
}

TEST_CASE("global_batch must be whole microbatches on every replica") {
  // 56 GPUs / tp 8 = dp 7; micro_batch 2 x dp 7 = 14.
  const std::string text =
      refusal(legal_but("\"global_batch\": 32", "\"global_batch\": 256"),
              {"platform.nodes=7", "layout.gpus=56", "layout.tp=8", "layout.pp=1"});
  CHECK_THAT(text, contains("global_batch 256 is not a multiple of micro_batch 2 x dp 7 = 14"));
  CHECK_THAT(text, contains("nearest that work: 252, 266"));
  CHECK_THAT(text, contains("dp 7 comes from gpus 56 / (tp 8 x pp 1 x cp 1)"));
}

TEST_CASE("the error points at what was changed on the command line") {
  const std::string text = refusal(legal_scenario(), {"training.micro_batch=3"});
  CHECK_THAT(text, contains("error: --set training.micro_batch=3\n"));
  CHECK_THAT(text, contains("global_batch 32 is not a multiple of micro_batch 3 x dp 2 = 6"));
}

TEST_CASE("interleaving needs vpp, pp, and whole rounds of microbatches") {
  const Overrides interleaved = {"layout.vpp=3"};
  const auto scenario = load_text(legal_scenario(), interleaved);
  CHECK(scenario.layout.schedule == ScheduleKind::interleaved);
  CHECK(scenario.layout.overlap_p2p);
  CHECK(scenario.layout.stage_layers == std::vector<std::int64_t>{4, 4, 4, 4, 4, 4});
  CHECK_THAT(refusal(legal_scenario(), {"layout.vpp=3", "layout.schedule=gpipe"}),
             contains("vpp 3 virtual stages need the schedule interleaved-1f1b, not gpipe"));
  CHECK_THAT(refusal(legal_scenario(), {"layout.schedule=interleaved-1f1b"}),
             contains("needs vpp of at least 2"));
  CHECK_THAT(refusal(legal_scenario(), {"layout.pp=1", "layout.vpp=2"}),
             contains("needs pp of at least 2"));
  // 28 / (2 x 2) = 7 microbatches, pp 2.
  const std::string odd = refusal(legal_scenario(), {"layout.vpp=3", "training.global_batch=28"});
  CHECK_THAT(odd, contains("7 microbatches are not a multiple of pp 2"));
  CHECK_THAT(odd, contains("nearest that work: 24, 32"));
}

TEST_CASE("fewer microbatches than stages are legal for 1f1b: the bubble is large") {
  CHECK(load_text(legal_scenario(), {"training.global_batch=4"}).microbatches() == 1);
}

TEST_CASE("layers that do not split over the stages are refused") {
  const std::string text = refusal(legal_scenario(), {"model.layers=7"});
  CHECK_THAT(text, contains("layers 7 does not split evenly over pp 2 stages"));
  CHECK(load_text(legal_scenario(), {"model.layers=7", "layout.first_stage_layers=3"})
            .layout.stage_layers == std::vector<std::int64_t>{3, 4});
  CHECK(load_text(legal_scenario(), {"model.layers=7", "layout.stage_layers=[3,4]"})
            .layout.stage_layers == std::vector<std::int64_t>{3, 4});
  CHECK_THAT(refusal(legal_scenario(), {"layout.stage_layers=[12,13]"}),
             contains("adds up to 25 layers; the model has 24"));
  CHECK_THAT(
      refusal(legal_scenario(), {"layout.stage_layers=[12,12]", "layout.first_stage_layers=12"}),
      contains("says the layers of every stage already"));
}

TEST_CASE("a precision that the GPU has no rate for is refused with those it has") {
  const std::string text = refusal(legal_scenario(), {"training.precision=fp8"});
  CHECK_THAT(text, contains("Tester has no rate for fp8"));
  CHECK_THAT(text, contains("it has fp32, bf16"));
}

TEST_CASE("the sequence fits the learned positions, and tp when it is split") {
  const Overrides learned = {"model.positions=learned", "model.max_positions=1024"};
  CHECK_THAT(refusal(legal_scenario(), learned),
             contains("sequence_length 2048 is longer than the model's learned positions"));
  CHECK_THAT(refusal(legal_scenario(), {"model.positions=learned"}), contains("max_positions"));
  CHECK_THAT(refusal(legal_scenario(), {"model.max_positions=4096"}), contains("there is none"));
  CHECK_THAT(
      refusal(legal_scenario(), {"layout.sequence_parallel=true", "training.sequence_length=2047"}),
      contains("nearest that work: 2044, 2048"));
  CHECK_THAT(refusal(legal_but(", \"sequence_length\": 2048", "")),
             contains("\"sequence_length\" is missing"));
}

TEST_CASE("a step that is too large to replay is refused before it eats the memory") {
  CHECK_THAT(refusal(legal_scenario(), {"training.global_batch=100000000"}),
             contains("more than can be simulated"));
}

TEST_CASE("what was not said is assumed aloud") {
  const auto scenario = load_text(legal_but(", \"precision\": \"bf16\"", ""));
  std::string all;
  for (const std::string& sentence : scenario.assumptions) all += sentence + "\n";
  CHECK_THAT(all, contains("flash attention assumed; training.attention: \"unfused\" changes it"));
  CHECK_THAT(all, contains("bf16 assumed"));
  CHECK_THAT(all, contains("no sequence parallelism assumed"));
  CHECK_THAT(all, contains("schedule 1f1b assumed"));
  CHECK_THAT(all, contains("sequence_length 2048 taken from the model"));
}

TEST_CASE("gradients default to fp32 for bf16 and to fp16 for fp16") {
  CHECK(load_text(legal_scenario()).training.gradient_precision == Precision::fp32);
  const auto fp16 =
      load_text(legal_but("\"bf16\": \"300", "\"fp16\": \"300"), {"training.precision=fp16"});
  CHECK(fp16.training.gradient_precision == Precision::fp16);
  CHECK(fp16.layout.gradient_bucket.value() == Approx(160e6));
}

TEST_CASE("a setting without effect is reported") {
  const auto scenario =
      load_text(legal_scenario(), {"layout.tp=1", "layout.sequence_parallel=true"});
  CHECK_FALSE(scenario.layout.sequence_parallel);
  std::string all;
  for (const std::string& sentence : scenario.assumptions) all += sentence + "\n";
  CHECK_THAT(all, contains("layout.sequence_parallel has no effect: tp is 1"));
}

TEST_CASE("selective recomputation beside flash attention is reported") {
  const std::string note =
      "layout.recompute selective saves next to nothing: flash attention keeps no scores";
  const auto notes = [&](const Overrides& overrides) {
    const auto all = load_text(legal_scenario(), overrides).assumptions;
    return std::count(all.begin(), all.end(), note);
  };
  CHECK(notes({"layout.recompute=selective"}) == 1);
  CHECK(notes({"layout.recompute=selective", "training.attention=unfused"}) == 0);
  CHECK(notes({"layout.recompute=full"}) == 0);
}
