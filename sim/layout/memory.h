// Bytes that one GPU of each pipeline rank holds.
//
// Model states per parameter (ZeRO, Rajbhandari et al. 2020): weights e, gradients g, and for Adam
// an fp32 master copy and two moments, 12 bytes. ZeRO-1 divides the 12 by dp, ZeRO-2 the gradients
// too: a 7.5e9-parameter model on 64 GPUs with 16-bit gradients takes (2 + 2 + 12) x 7.5e9 = 120
// GB, (4 + 12/64) x 7.5e9 = 31.4 GB, (2 + 14/64) x 7.5e9 = 16.6 GB.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/scenario.h"
#include "sim/schedule/schedule.h"
#include "sim/units/quantity.h"

namespace flotilla::layout {

// Bytes per parameter of the optimizer's own state: master copy (unless weights are fp32) and
// moments.
double optimizer_bytes_per_parameter(config::Precision precision);

struct StateBytes {
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;
  [[nodiscard]] Bytes total() const { return parameters + gradients + optimizer; }
};

// Model states of a GPU that holds `parameters` of them.
StateBytes state_bytes(double parameters, const config::Layout& layout,
                       const config::Training& training);

// With ZeRO-2, what gradients take before they are reduced: a bucket; or the whole of the largest
// chunk where the schedule runs several backward passes of a chunk in a row, which add up first.
Bytes unreduced_gradients(const config::Scenario& scenario,
                          const std::vector<schedule::Slot>& slots,
                          double largest_chunk_parameters);

struct StageMemory {
  std::int64_t layers = 0;
  double parameters = 0;
  StateBytes states;
  Bytes activations;
  [[nodiscard]] Bytes peak() const { return states.total() + activations; }
};

// By pipeline rank. Activations are those of the moment when the schedule holds the most of them.
std::vector<StageMemory> stage_memory(const config::Scenario& scenario,
                                      const schedule::Schedule& schedule);

}  // namespace flotilla::layout
