// One transformer layer as the kernels and tensor-parallel exchanges of one GPU, in the order in
// which Megatron-LM's fused implementation runs them: bias is fused with the activation, with
// dropout and with the residual addition; scale, mask and softmax are one kernel.
//
// Tensor parallelism slices the first matrix of attention and MLP by columns and the second by rows
// (Shoeybi et al. 2019). Without sequence parallelism the row-parallel products are all-reduced in
// the forward pass and the input gradients of the column-parallel ones in the backward pass; with
// it (Korthikanti et al. 2022) each all-reduce is a reduce-scatter and an all-gather, and the
// backward pass gathers the inputs again for the weight gradients.
#pragma once

#include "sim/config/model.h"
#include "sim/model/program.h"
#include "sim/model/slice.h"

namespace flotilla::model {

Program layer_forward(const config::Model& model, const Slice& slice);

// Gradients of the inputs and weights of one layer, what slice.recompute runs again included. The
// exchanges of input gradients run beside the weight-gradient products.
Program layer_backward(const config::Model& model, const Slice& slice);

}  // namespace flotilla::model
