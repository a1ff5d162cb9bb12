// What each virtual stage of the pipeline holds.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/scenario.h"
#include "sim/model/parameters.h"

namespace flotilla::layout {

struct VirtualStage {
  std::int64_t rank = 0;   // pipeline rank that runs it
  std::int64_t chunk = 0;  // its place among that rank's chunks
  std::int64_t first_layer = 0;
  std::int64_t layers = 0;
  bool embedding = false;  // the first one
  bool head = false;       // the last one: final norm, LM head, loss

  bool operator==(const VirtualStage&) const = default;
};

// In the order in which a microbatch meets them: number chunk x pp + rank.
std::vector<VirtualStage> virtual_stages(const config::Layout& layout);

// Parameters stored by a virtual stage; a head that is tied to an embedding on another stage holds
// a copy of it, on the same stage it is the same tensor.
model::Parameters stored_parameters(const config::Model& model, const config::Layout& layout,
                                    const VirtualStage& stage);

// True when embedding and head share weights across stages, so that their gradients are summed.
bool ties_across_stages(const config::Model& model, const config::Layout& layout);

}  // namespace flotilla::layout
