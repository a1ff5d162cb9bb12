// The answers of one simulated step, in the words of the output contract. Text, JSON and
// comparisons print this and nothing else; timelines and traces read the OpGraph and its Timeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/scenario.h"
#include "sim/units/quantity.h"

namespace flotilla::report {

// Mean over the pipeline stages of where the wall time of a step goes; adds up to the step time.
struct Breakdown {
  Seconds compute;
  Seconds recompute;
  Seconds tp_exposed;
  Seconds cp_exposed;
  Seconds ep_exposed;
  Seconds pp_exposed;  // waiting for a hand-over that is on its way
  Seconds dp_exposed;  // waiting for gradients or parameters
  Seconds bubble;      // waiting for another stage to compute
  Seconds optimizer;

  [[nodiscard]] Seconds total() const {
    return compute + recompute + tp_exposed + cp_exposed + ep_exposed + pp_exposed + dp_exposed +
           bubble + optimizer;
  }
};

struct CollectiveLine {
  std::string group;      // "tp", "dp", "pp", "embedding"
  std::string op;         // "all_reduce", "reduce_scatter", "all_gather", "send"
  std::string algorithm;  // "ring"
  std::string where;      // "NVLink", "network", "network, 1:7"
  std::int64_t ranks = 0;
  Bytes bytes;             // of one call: the tensor as nccl-tests counts its size
  Seconds time;            // of one call: mean over the calls, contention included
  BytesPerSecond algbw;    // bytes / time
  BytesPerSecond busbw;    // algbw x the op's factor, as nccl-tests defines it
  std::int64_t count = 0;  // calls per step on the rank that makes the most
  double hidden = 0;       // share of their time during which the rank computed
};

struct StageMemory {
  std::int64_t stage = 0;
  std::int64_t layers = 0;
  double parameters = 0;  // held by one GPU of the stage, a count
  Bytes parameters_bytes;
  Bytes gradients_bytes;
  Bytes optimizer_bytes;
  Bytes activations_bytes;
  Bytes peak_bytes;  // the sum
};

struct Memory {
  bool fits = false;
  Bytes capacity;
  Bytes peak;  // of the fullest stage
  std::vector<StageMemory> stages;
};

struct EngineFacts {
  std::string fidelity;  // "folded"
  std::int64_t ranks_simulated = 0;
  std::int64_t operations = 0;
  double wall_s = 0;
  double peak_rss_bytes = 0;
};

struct Summary {
  config::Scenario scenario;
  std::uint64_t seed = 1;
  double parameters = 0;  // of the model, tied tensors counted once
  Seconds step;
  double tokens_per_s = 0;
  double tokens_per_s_per_gpu = 0;
  FlopsPerSecond flops_per_gpu;  // model FLOPs
  double mfu = 0;
  double hfu = 0;
  double bubble_fraction = 0;  // breakdown.bubble / step
  Breakdown breakdown;
  std::vector<CollectiveLine> collectives;
  Memory memory;
  EngineFacts engine;
  // What to try, like "layout.zero=1": makes the scenario fit, or acts on the largest loss of one
  // that fits. Not part of the output contract.
  std::vector<std::string> advice;
};

}  // namespace flotilla::report
