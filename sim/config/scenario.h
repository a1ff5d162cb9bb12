// One scenario: what is trained (model), on what (platform), cut how (layout), with which batch and
// arithmetic (training).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/degraded.h"
#include "sim/config/model.h"
#include "sim/config/platform.h"
#include "sim/units/quantity.h"

namespace flotilla::config {

enum class ScheduleKind { gpipe, one_f_one_b, interleaved };
enum class Recompute { none, selective, full };
// Which ranks are neighbours: the innermost kind of parallelism first.
enum class RankOrder { tp_cp_dp_pp, tp_cp_pp_dp };

struct Layout {
  std::int64_t gpus = 0;
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t vpp = 1;  // virtual stages (model chunks) per pipeline rank
  std::int64_t cp = 1;
  std::int64_t dp = 1;  // derived: gpus / (tp x cp x pp)
  int zero = 0;
  ScheduleKind schedule = ScheduleKind::one_f_one_b;
  bool sequence_parallel = false;
  Recompute recompute = Recompute::none;
  RankOrder rank_order = RankOrder::tp_cp_dp_pp;
  std::vector<std::int64_t> stage_layers;  // layers of each of the pp x vpp virtual stages, in the
                                           // order in which a microbatch meets them
  std::vector<std::int64_t> placement;     // GPU of each rank; empty: rank r on GPU r
  bool overlap_gradients = true;   // gradient buckets are reduced while the backward pass goes on
  bool overlap_parameters = true;  // ZeRO-1 gathers parameters while the forward pass goes on
  bool overlap_tensor = true;      // tp exchanges of input gradients run beside weight gradients
  bool overlap_p2p = true;         // a stage goes on computing while it hands over activations
  Bytes gradient_bucket;           // a bucket is reduced once it holds this much

  [[nodiscard]] std::int64_t virtual_stages() const { return pp * vpp; }
};

enum class Attention { flash, unfused };
// How the attention part of the model FLOPs is counted: the whole s x s square, or the lower half.
enum class AttentionFlops { full, causal };

struct Training {
  std::int64_t global_batch = 0;     // sequences per step
  std::int64_t micro_batch = 1;      // sequences per microbatch
  std::int64_t sequence_length = 0;  // tokens per sequence
  Precision precision = Precision::bf16;
  Precision gradient_precision = Precision::fp32;  // dtype in which gradients are kept and reduced
  // The weight-gradient product adds to the gradient buffer itself (Megatron-LM's
  // gradient-accumulation-fusion); otherwise a kernel of its own does.
  bool fused_gradients = true;
  Attention attention = Attention::flash;
  AttentionFlops attention_flops = AttentionFlops::full;
  double total_tokens = 0;  // 0: not given
};

struct Scenario {
  std::string name;                // key "name"; default: the file's stem
  std::string file;                // as the person named it; "-" is stdin
  std::vector<std::string> files;  // all that were read, as they can be opened; "-" is stdin
  std::string source;
  Model model;
  Platform platform;
  Layout layout;
  Training training;
  std::vector<Degraded> degraded;
  std::vector<std::string>
      assumptions;  // what was not said and therefore assumed, one sentence each

  // m: microbatches that each replica runs in one step = global_batch / (micro_batch x dp).
  [[nodiscard]] std::int64_t microbatches() const {
    return training.global_batch / (training.micro_batch * layout.dp);
  }
};

}  // namespace flotilla::config
