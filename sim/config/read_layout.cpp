#include "sim/config/read.h"

namespace flotilla::config {

namespace {

constexpr Range kGpus = {1, 100'000'000};
constexpr Range kDegree = {1, 100'000};
constexpr Range kBatch = {1, 100'000'000};
constexpr Range kTokens = {1, 1'000'000'000};
constexpr Range kStageLayers = {0, 100'000};

// A degree that is part of the contract and not simulated yet: only 1 is accepted.
void read_unsupported_degree(Reader& in, std::string_view key, std::int64_t& degree,
                             const std::string& meaning) {
  in.count(key, degree, kDegree);
  if (degree == 1 || !in.sound(key)) return;
  in.fault(key, meaning + " is not simulated by this version: only 1 is accepted");
  degree = 1;
}

void read_optional_count(Reader& in, std::string_view key, std::optional<std::int64_t>& value) {
  if (!in.has(key)) {
    std::int64_t unused = 0;
    in.count(key, unused);
    return;
  }
  std::int64_t count = 0;
  in.count(key, count, kStageLayers);
  if (in.sound(key)) value = count;
}

void read_zero(Reader& in, int& zero) {
  std::int64_t stage = zero;
  in.count("zero", stage, {0, 3});
  if (in.sound("zero") && stage > 2) {
    in.fault("zero", "ZeRO stage 3 is not simulated by this version: expected 0, 1 or 2");
  } else {
    zero = static_cast<int>(stage);
  }
}

}  // namespace

const Choices<ScheduleKind>& schedule_names() {
  static const Choices<ScheduleKind> names = {{"gpipe", ScheduleKind::gpipe},
                                              {"1f1b", ScheduleKind::one_f_one_b},
                                              {"interleaved-1f1b", ScheduleKind::interleaved}};
  return names;
}

void read_layout(Reader& in, Layout& layout, SplitRequest& split) {
  in.count("gpus", layout.gpus, kGpus);
  in.count("tp", layout.tp, kDegree);
  in.count("pp", layout.pp, kDegree);
  in.count("vpp", layout.vpp, kDegree);
  in.count("dp", layout.dp, kGpus);
  read_unsupported_degree(in, "cp", layout.cp, "context parallelism");
  std::int64_t unused = 1;
  read_unsupported_degree(in, "ep", unused, "expert parallelism");
  read_unsupported_degree(in, "etp", unused, "expert tensor parallelism");
  read_zero(in, layout.zero);
  in.choice("schedule", layout.schedule, schedule_names());
  in.flag("sequence_parallel", layout.sequence_parallel);
  in.choice("recompute", layout.recompute,
            Choices<Recompute>{{"none", Recompute::none},
                               {"selective", Recompute::selective},
                               {"full", Recompute::full}});
  in.choice("rank_order", layout.rank_order,
            Choices<RankOrder>{{"tp-cp-dp-pp", RankOrder::tp_cp_dp_pp},
                               {"tp-cp-pp-dp", RankOrder::tp_cp_pp_dp}});
  in.counts("stage_layers", layout.stage_layers, kStageLayers);
  read_optional_count(in, "first_stage_layers", split.first);
  read_optional_count(in, "last_stage_layers", split.last);
  in.flag("overlap_gradients", layout.overlap_gradients);
  in.flag("overlap_parameters", layout.overlap_parameters);
  in.flag("overlap_tensor", layout.overlap_tensor);
  in.flag("overlap_p2p", layout.overlap_p2p);
  in.quantity("gradient_bucket", layout.gradient_bucket);
  if (!in.has("gpus") && !in.has("dp")) in.require({"gpus"});
  if (in.has("stage_layers") && (in.has("first_stage_layers") || in.has("last_stage_layers"))) {
    in.fault("stage_layers", "says the layers of every stage already",
             "leave first_stage_layers and last_stage_layers away");
  }
}

void read_training(Reader& in, Training& training) {
  in.require({"global_batch"});
  in.count("global_batch", training.global_batch, kBatch);
  in.count("micro_batch", training.micro_batch, {1, 100'000});
  in.count("sequence_length", training.sequence_length, kTokens);
  in.choice("precision", training.precision, precision_names());
  in.flag("fused_gradients", training.fused_gradients);
  in.choice("gradient_precision", training.gradient_precision,
            Choices<Precision>{
                {"fp32", Precision::fp32}, {"fp16", Precision::fp16}, {"bf16", Precision::bf16}});
  in.choice("attention", training.attention,
            Choices<Attention>{{"flash", Attention::flash}, {"unfused", Attention::unfused}});
  in.choice(
      "attention_flops", training.attention_flops,
      Choices<AttentionFlops>{{"full", AttentionFlops::full}, {"causal", AttentionFlops::causal}});
  in.number("total_tokens", training.total_tokens, 0, 1e18);
}

}  // namespace flotilla::config
