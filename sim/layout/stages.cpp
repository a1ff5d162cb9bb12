#include "sim/layout/stages.h"

#include <cstddef>

namespace flotilla::layout {

std::vector<VirtualStage> virtual_stages(const config::Layout& layout) {
  const std::int64_t count = layout.virtual_stages();
  std::vector<VirtualStage> stages;
  std::int64_t first_layer = 0;
  for (std::int64_t v = 0; v < count; ++v) {
    const std::int64_t layers = layout.stage_layers.at(static_cast<std::size_t>(v));
    stages.push_back({.rank = v % layout.pp,
                      .chunk = v / layout.pp,
                      .first_layer = first_layer,
                      .layers = layers,
                      .embedding = v == 0,
                      .head = v == count - 1});
    first_layer += layers;
  }
  return stages;
}

model::Parameters stored_parameters(const config::Model& model, const config::Layout& layout,
                                    const VirtualStage& stage) {
  model::Parameters p = static_cast<double>(stage.layers) * model::layer_parameters(model);
  if (stage.embedding) p += model::embedding_parameters(model);
  if (stage.head) {
    p += model::final_norm_parameters(model);
    if (!model.tied_embeddings || ties_across_stages(model, layout)) {
      p += model::head_parameters(model);
    }
  }
  return p;
}

bool ties_across_stages(const config::Model& model, const config::Layout& layout) {
  return model.tied_embeddings && layout.pp > 1;
}

}  // namespace flotilla::layout
