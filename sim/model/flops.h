// FLOPs of a training step as the literature counts them.
#pragma once

#include "sim/config/scenario.h"
#include "sim/units/quantity.h"

namespace flotilla::model {

// Model FLOPs of one step: forward and twice that for the backward pass, no recomputation.
//   3 x tokens x (2 x (matrix parameters, LM head included) + 4 s a d x layers)
// For a GELU model without GQA that is Korthikanti et al. 2022, appendix A:
//   72 B L s h^2 (1 + s/(6h) + V/(12 h L)).
// training.attention_flops "causal" counts the lower half of the attention square: 2 s a d.
Flops model_flops(const config::Scenario& scenario);

// What the GPUs execute: model FLOPs and what layout.recompute runs again (full: every layer's
// forward pass; selective: the core attention).
Flops hardware_flops(const config::Scenario& scenario);

}  // namespace flotilla::model
