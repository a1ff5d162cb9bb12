// Pipeline schedules as plain data: for each rank the ordered list of passes that it runs.
//
// A rank holds `chunks` model chunks (virtual stages); virtual stage number chunk x stages + rank
// is the position of a chunk in the model. Microbatches flow forward through the virtual stages in
// ascending order and backward in descending order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flotilla::schedule {

enum class Pass : std::uint8_t { forward, backward };

struct Slot {
  Pass pass = Pass::forward;
  std::int32_t microbatch = 0;
  std::int32_t chunk = 0;
  bool operator==(const Slot&) const = default;
};

struct Schedule {
  std::int32_t stages = 1;  // p
  std::int32_t chunks = 1;  // v
  std::int32_t microbatches = 1;
  std::vector<std::vector<Slot>> ranks;  // by rank, in the order of execution
};

// All forward passes, then all backward passes (Huang et al. 2019).
Schedule gpipe(std::int32_t stages, std::int32_t microbatches);

// Each rank runs min(p - rank - 1, m) forward passes ahead, then one forward and one backward in
// turn (Narayanan et al. 2019, PipeDream-Flush).
Schedule one_f_one_b(std::int32_t stages, std::int32_t microbatches);

// Interleaved 1F1B (Narayanan et al. 2021): chunks take turns in groups of p microbatches; a rank
// runs min((p - rank - 1) 2 + (v - 1) p, m v) forward passes ahead. Needs m to be a multiple of p.
Schedule interleaved(std::int32_t stages, std::int32_t chunks, std::int32_t microbatches);

// Forward passes that a rank of the interleaved schedule runs before its first backward pass.
std::int32_t interleaved_warmup(std::int32_t stages, std::int32_t chunks, std::int32_t microbatches,
                                std::int32_t rank);

// Whether the backward pass at `slot` is the last of a run of backward passes of its chunk, with
// nothing between them: where gradients that are not kept whole leave the rank.
bool ends_backward_run(const std::vector<Slot>& slots, std::size_t slot);

// Microbatches of each chunk whose activations a rank holds at the moment when it holds the most,
// weighted by what one microbatch of that chunk keeps: the maximum over time of sum weight x count.
double peak_in_flight(const std::vector<Slot>& slots, const std::vector<double>& chunk_weight);

}  // namespace flotilla::schedule
