#include "sim/step/pass_blocks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/model/ends.h"
#include "sim/model/layer.h"
#include "sim/model/slice.h"

namespace flotilla::step {

namespace {

std::string describe(schedule::Pass pass, const Piece& piece) {
  std::string text = pass == schedule::Pass::forward ? "forward" : "backward";
  if (piece.embedding) text += ", embedding";
  text += ", " + std::to_string(piece.layers) + (piece.layers == 1 ? " layer" : " layers");
  if (piece.head) text += ", head";
  return text;
}

}  // namespace

PassBlocks::PassBlocks(const config::Scenario& scenario, const BlockTimer& timer) {
  const config::Model& m = scenario.model;
  const model::Slice slice = model::slice_of(scenario);
  forward_ = {.embedding = timer.time(model::embedding_forward(m, slice)),
              .layer = timer.time(model::layer_forward(m, slice)),
              .head = timer.time(model::head_forward(m, slice))};
  backward_ = {.embedding = timer.time(model::embedding_backward(m, slice)),
               .layer = timer.time(model::layer_backward(m, slice)),
               .head = timer.time(model::head_backward(m, slice))};
}

std::int32_t PassBlocks::profile(graph::OpGraph& graph, schedule::Pass pass, const Piece& piece) {
  const Key key{pass, piece.layers, piece.embedding, piece.head};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<const graph::BlockProfile*> sequence;
  if (piece.embedding) sequence.push_back(&parts(pass).embedding);
  sequence.insert(sequence.end(), static_cast<std::size_t>(piece.layers), &parts(pass).layer);
  if (piece.head) sequence.push_back(&parts(pass).head);
  if (pass == schedule::Pass::backward) std::reverse(sequence.begin(), sequence.end());
  const std::int32_t index = graph.add_profile(concatenate(describe(pass, piece), sequence));
  known_.emplace(key, index);
  return index;
}

}  // namespace flotilla::step
