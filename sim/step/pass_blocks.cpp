#include "sim/step/pass_blocks.h"

#include <algorithm>
#include <string>

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

PassBlocks::PassBlocks(const config::Scenario& scenario, const BlockTimer& timer,
                       graph::OpGraph& graph)
    : graph_(graph) {
  const config::Model& m = scenario.model;
  const model::Slice slice = model::slice_of(scenario);
  const auto timed = [&](const model::Program& program) {
    Timed part;
    part.block = timer.time(program);
    part.script = make_script(graph, program, part.block);
    return part;
  };
  forward_ = {.embedding = timed(model::embedding_forward(m, slice)),
              .layer = timed(model::layer_forward(m, slice)),
              .head = timed(model::head_forward(m, slice))};
  backward_ = {.embedding = timed(model::embedding_backward(m, slice)),
               .layer = timed(model::layer_backward(m, slice)),
               .head = timed(model::head_backward(m, slice))};
}

std::vector<const PassBlocks::Timed*> PassBlocks::sequence(schedule::Pass pass,
                                                           const Piece& piece) const {
  const Parts<Timed>& parts = pass == schedule::Pass::forward ? forward_ : backward_;
  std::vector<const Timed*> sequence;
  if (piece.embedding) sequence.push_back(&parts.embedding);
  sequence.insert(sequence.end(), static_cast<std::size_t>(piece.layers), &parts.layer);
  if (piece.head) sequence.push_back(&parts.head);
  if (pass == schedule::Pass::backward) std::reverse(sequence.begin(), sequence.end());
  return sequence;
}

std::int32_t PassBlocks::profile(schedule::Pass pass, const Piece& piece) {
  const Key key{pass, piece.layers, piece.embedding, piece.head};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<const graph::BlockProfile*> blocks;
  for (const Timed* part : sequence(pass, piece)) blocks.push_back(&part->block);
  const std::int32_t index = graph_.add_profile(concatenate(describe(pass, piece), blocks));
  known_.emplace(key, index);
  return index;
}

std::vector<const Script*> PassBlocks::scripts(schedule::Pass pass, const Piece& piece) const {
  std::vector<const Script*> scripts;
  for (const Timed* part : sequence(pass, piece)) scripts.push_back(&part->script);
  return scripts;
}

}  // namespace flotilla::step
