#include "sim/layout/memory.h"

#include <algorithm>
#include <cstddef>

#include "sim/layout/stages.h"
#include "sim/model/activations.h"
#include "sim/model/slice.h"

namespace flotilla::layout {

namespace {

// What one microbatch keeps on one virtual stage. The head's logits live only between its forward
// and its backward pass, which follow one another, so they are added once (see stage_memory).
Bytes kept(const config::Scenario& s, const model::Slice& slice, const VirtualStage& stage) {
  Bytes bytes = static_cast<double>(stage.layers) * model::layer_activations(s.model, slice);
  if (stage.embedding) bytes += model::embedding_activations(s.model, slice);
  return bytes;
}

}  // namespace

double optimizer_bytes_per_parameter(config::Precision precision) {
  const double moments = 8;
  return model::element_bytes(precision) == 4 ? moments : moments + 4;
}

StateBytes state_bytes(double parameters, const config::Layout& layout,
                       const config::Training& training) {
  const auto replicas = static_cast<double>(layout.dp * layout.cp);
  const double shards = layout.zero >= 1 ? replicas : 1;
  const double gradient_shards = layout.zero >= 2 ? replicas : 1;
  return {
      .parameters = Bytes(parameters * model::element_bytes(training.precision)),
      .gradients =
          Bytes(parameters * model::element_bytes(training.gradient_precision) / gradient_shards),
      .optimizer = Bytes(parameters * optimizer_bytes_per_parameter(training.precision) / shards)};
}

Bytes unreduced_gradients(const config::Scenario& s, const std::vector<schedule::Slot>& slots,
                          double largest_chunk_parameters) {
  if (s.layout.zero < 2 || s.layout.dp * s.layout.cp == 1) return Bytes(0);
  const double element = model::element_bytes(s.training.gradient_precision);
  const Bytes chunk(largest_chunk_parameters * element);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const bool backward = slots[i].pass == schedule::Pass::backward;
    if (backward && !schedule::ends_backward_run(slots, i)) return chunk;
  }
  // A bucket is at least one layer.
  const Bytes layer(model::layer_parameters(s.model).per_rank(s.layout.tp) * element);
  return std::min(chunk, std::max(s.layout.gradient_bucket, layer));
}

std::vector<StageMemory> stage_memory(const config::Scenario& s,
                                      const schedule::Schedule& schedule) {
  const model::Slice slice = model::slice_of(s);
  std::vector<StageMemory> memory(static_cast<std::size_t>(s.layout.pp));
  std::vector<std::vector<double>> weights(
      memory.size(), std::vector<double>(static_cast<std::size_t>(s.layout.vpp), 0.0));
  std::vector<double> largest_chunk(memory.size(), 0.0);
  for (const VirtualStage& stage : virtual_stages(s.layout)) {
    const auto rank = static_cast<std::size_t>(stage.rank);
    const double parameters = stored_parameters(s.model, s.layout, stage).per_rank(s.layout.tp);
    memory[rank].layers += stage.layers;
    memory[rank].parameters += parameters;
    largest_chunk[rank] = std::max(largest_chunk[rank], parameters);
    weights[rank][static_cast<std::size_t>(stage.chunk)] = kept(s, slice, stage).value();
    if (stage.head) memory[rank].activations += model::head_activations(s.model, slice);
  }
  for (std::size_t rank = 0; rank < memory.size(); ++rank) {
    StageMemory& m = memory[rank];
    m.states = state_bytes(m.parameters, s.layout, s.training);
    m.states.gradients += unreduced_gradients(s, schedule.ranks[rank], largest_chunk[rank]);
    m.activations += Bytes(schedule::peak_in_flight(schedule.ranks[rank], weights[rank]));
    if (m.layers > 0) m.activations += model::recompute_workspace(s.model, slice);
  }
  return memory;
}

}  // namespace flotilla::layout
