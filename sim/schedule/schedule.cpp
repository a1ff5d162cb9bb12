#include "sim/schedule/schedule.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace flotilla::schedule {

namespace {

Schedule empty(std::int32_t stages, std::int32_t chunks, std::int32_t microbatches) {
  if (stages < 1 || chunks < 1 || microbatches < 1) {
    throw std::invalid_argument("a schedule needs at least one stage, chunk and microbatch");
  }
  Schedule schedule{.stages = stages, .chunks = chunks, .microbatches = microbatches, .ranks = {}};
  schedule.ranks.resize(static_cast<std::size_t>(stages));
  return schedule;
}

// The k-th forward (or backward) pass of a rank in the interleaved order: groups of p microbatches
// go through chunk 0, then chunk 1, ...; backward passes take the chunks from the last to the
// first.
Slot interleaved_slot(const Schedule& s, std::int32_t k, Pass pass) {
  const std::int32_t per_group = s.stages * s.chunks;
  const std::int32_t group = k / per_group;
  const std::int32_t within = k % per_group;
  const std::int32_t chunk = within / s.stages;
  return {.pass = pass,
          .microbatch = group * s.stages + within % s.stages,
          .chunk = pass == Pass::forward ? chunk : s.chunks - 1 - chunk};
}

// `warmup` forwards, then forward and backward in turn, then the backwards that are left.
template <class SlotOf>
std::vector<Slot> warm_steady_cool(std::int32_t total, std::int32_t warmup, SlotOf slot_of) {
  std::vector<Slot> slots;
  slots.reserve(2 * static_cast<std::size_t>(total));
  for (std::int32_t k = 0; k < warmup; ++k) slots.push_back(slot_of(k, Pass::forward));
  for (std::int32_t k = warmup; k < total; ++k) {
    slots.push_back(slot_of(k, Pass::forward));
    slots.push_back(slot_of(k - warmup, Pass::backward));
  }
  for (std::int32_t k = total - warmup; k < total; ++k) {
    slots.push_back(slot_of(k, Pass::backward));
  }
  return slots;
}

Slot plain_slot(std::int32_t microbatch, Pass pass) {
  return {.pass = pass, .microbatch = microbatch, .chunk = 0};
}

}  // namespace

Schedule gpipe(std::int32_t stages, std::int32_t microbatches) {
  Schedule s = empty(stages, 1, microbatches);
  for (auto& slots : s.ranks) slots = warm_steady_cool(microbatches, microbatches, plain_slot);
  return s;
}

Schedule one_f_one_b(std::int32_t stages, std::int32_t microbatches) {
  Schedule s = empty(stages, 1, microbatches);
  for (std::int32_t rank = 0; rank < stages; ++rank) {
    const std::int32_t warmup = std::min(stages - rank - 1, microbatches);
    s.ranks[static_cast<std::size_t>(rank)] = warm_steady_cool(microbatches, warmup, plain_slot);
  }
  return s;
}

std::int32_t interleaved_warmup(std::int32_t stages, std::int32_t chunks, std::int32_t microbatches,
                                std::int32_t rank) {
  return std::min((stages - rank - 1) * 2 + (chunks - 1) * stages, microbatches * chunks);
}

Schedule interleaved(std::int32_t stages, std::int32_t chunks, std::int32_t microbatches) {
  Schedule s = empty(stages, chunks, microbatches);
  if (microbatches % stages != 0) {
    throw std::invalid_argument(
        "the interleaved schedule needs microbatches to be a multiple of stages");
  }
  const auto slot_of = [&s](std::int32_t k, Pass pass) { return interleaved_slot(s, k, pass); };
  for (std::int32_t rank = 0; rank < stages; ++rank) {
    s.ranks[static_cast<std::size_t>(rank)] = warm_steady_cool(
        microbatches * chunks, interleaved_warmup(stages, chunks, microbatches, rank), slot_of);
  }
  return s;
}

bool ends_backward_run(const std::vector<Slot>& slots, std::size_t slot) {
  const Slot& current = slots.at(slot);
  if (current.pass != Pass::backward) return false;
  if (slot + 1 == slots.size()) return true;
  const Slot& next = slots[slot + 1];
  return next.pass != Pass::backward || next.chunk != current.chunk;
}

double peak_in_flight(const std::vector<Slot>& slots, const std::vector<double>& chunk_weight) {
  double held = 0;
  double peak = 0;
  for (const Slot& slot : slots) {
    const double weight = chunk_weight.at(static_cast<std::size_t>(slot.chunk));
    held += slot.pass == Pass::forward ? weight : -weight;
    peak = std::max(peak, held);
  }
  return peak;
}

}  // namespace flotilla::schedule
