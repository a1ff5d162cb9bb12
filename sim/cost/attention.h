// Time of a fused attention kernel (FlashAttention-2 and 3, cuDNN).
//
//   time    = launch + max(compute, memory)
//   compute = FLOPs / rate + (1/2) x time of one block on one SM
//   rate    = 16-bit peak x efficiency of the direction x g(head_dim) / g(128),  g(d) = d / (d +
//   d0) memory  = bytes of q, k, v and the result (backward: twice that) / streaming bandwidth
//
// FLOPs: forward 4 b a s_q s_k d, backward 2.5 times that (five products instead of two), halved by
// a causal mask.
//
// Per score the matrix work grows with head_dim d and the softmax does not; d0 (softmax_dim) is the
// head_dim whose matrix work would take as long as the softmax.
//
// A block is 128 rows of queries against all keys. Blocks of a causal mask differ in length and
// fill the last wave unevenly; half a block is what the measured dependence on the number of heads
// shows, forward and backward alike (docs/kernels.md).
//
// Attention runs in 16 bits also where the linear layers run in fp8.
#pragma once

#include "sim/config/gpu.h"
#include "sim/model/kernel.h"
#include "sim/units/quantity.h"

namespace flotilla::cost {

// Preconditions: every dimension positive, the GPU lists `precision`.
Seconds attention_time(const model::FusedAttention& attention, const config::Gpu& gpu,
                       config::Precision precision);

}  // namespace flotilla::cost
