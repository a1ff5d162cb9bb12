// How the pass of a virtual stage is cut so that gradient and parameter buckets can move beside it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/scenario.h"
#include "sim/layout/stages.h"

namespace flotilla::step {

// A run of layers (with the embedding before or the head after them) whose gradients are one
// bucket.
struct Piece {
  std::int64_t layers = 0;
  bool embedding = false;
  bool head = false;
  double parameters = 0;  // held by one GPU
};

// The pieces of a stage in forward order. A piece is closed, from the end of the stage backwards as
// gradients become ready, once it holds at least layout.gradient_bucket of gradients. Whatever the
// cut, the pieces hold every layer and every parameter of the stage once.
std::vector<Piece> bucket_pieces(const config::Scenario& scenario,
                                 const layout::VirtualStage& stage);

// The whole stage as one piece.
Piece whole_piece(const config::Scenario& scenario, const layout::VirtualStage& stage);

}  // namespace flotilla::step
