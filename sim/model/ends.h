// What the first and the last stage do beside their layers: token embedding, final norm, LM head,
// loss.
#pragma once

#include "sim/config/model.h"
#include "sim/model/program.h"
#include "sim/model/slice.h"

namespace flotilla::model {

// Table look-up (each rank holds V/tp rows; the partial results are reduced), positions, dropout.
Program embedding_forward(const config::Model& model, const Slice& slice);
Program embedding_backward(const config::Model& model, const Slice& slice);

// Final norm, logits = x W [s b, V/tp], cross entropy over the sliced vocabulary.
Program head_forward(const config::Model& model, const Slice& slice);
Program head_backward(const config::Model& model, const Slice& slice);

}  // namespace flotilla::model
