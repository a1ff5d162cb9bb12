// What one GPU keeps in memory between the forward and the backward pass of one microbatch.
//
// The counts are those of Korthikanti et al. 2022: a dense layer with unfused attention keeps
// s b h (10 + 24/t + 5 a s / (h t)) bytes under tensor parallelism, (s b h / t)(34 + 5 a s / h)
// with sequence parallelism, 2 s b h with full recomputation.
#pragma once

#include "sim/config/model.h"
#include "sim/model/slice.h"
#include "sim/units/quantity.h"

namespace flotilla::model {

// One transformer layer.
Bytes layer_activations(const config::Model& model, const Slice& slice);
// Beside the layers: the embedding's dropout mask on the first stage ...
Bytes embedding_activations(const config::Model& model, const Slice& slice);
// ... and the inputs of the final norm and of the head and the fp32 logits on the last.
Bytes head_activations(const config::Model& model, const Slice& slice);
// The largest layer's activations while it runs again under full recomputation.
Bytes recompute_workspace(const config::Model& model, const Slice& slice);

}  // namespace flotilla::model
