#include "sim/step/buckets.h"

#include <algorithm>

#include "sim/model/slice.h"

namespace flotilla::step {

namespace {

double held(const config::Scenario& s, const Piece& piece) {
  const layout::VirtualStage part{
      .layers = piece.layers, .embedding = piece.embedding, .head = piece.head};
  return layout::stored_parameters(s.model, s.layout, part).per_rank(s.layout.tp);
}

}  // namespace

Piece whole_piece(const config::Scenario& s, const layout::VirtualStage& stage) {
  Piece piece{.layers = stage.layers, .embedding = stage.embedding, .head = stage.head};
  piece.parameters = held(s, piece);
  return piece;
}

std::vector<Piece> bucket_pieces(const config::Scenario& s, const layout::VirtualStage& stage) {
  const double gradient = model::element_bytes(s.training.gradient_precision);
  const double limit = s.layout.gradient_bucket.value() / gradient;
  std::vector<Piece> pieces;  // in backward order
  Piece open{.head = stage.head};
  for (std::int64_t layer = 0; layer < stage.layers; ++layer) {
    ++open.layers;
    open.parameters = held(s, open);
    if (open.parameters >= limit && layer + 1 < stage.layers) {
      pieces.push_back(open);
      open = {};
    }
  }
  open.embedding = stage.embedding;
  open.parameters = held(s, open);
  pieces.push_back(open);
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

}  // namespace flotilla::step
