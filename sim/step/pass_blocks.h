// The compute blocks of a scenario by what they hold, each timed once and reused.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "sim/config/scenario.h"
#include "sim/graph/op_graph.h"
#include "sim/schedule/schedule.h"
#include "sim/step/block.h"
#include "sim/step/buckets.h"
#include "sim/step/script.h"

namespace flotilla::step {

class PassBlocks {
 public:
  PassBlocks(const config::Scenario& scenario, const BlockTimer& timer, graph::OpGraph& graph);

  // A pass over that piece as one block: index in graph.profiles().
  std::int32_t profile(schedule::Pass pass, const Piece& piece);

  // The same as the scripts of its parts, one after the other.
  [[nodiscard]] std::vector<const Script*> scripts(schedule::Pass pass, const Piece& piece) const;

 private:
  template <class T>
  struct Parts {
    T embedding, layer, head;
  };
  struct Timed {
    graph::BlockProfile block;
    Script script;
  };
  using Key = std::tuple<schedule::Pass, std::int64_t, bool, bool>;

  // The parts of a piece in the order in which the pass runs them.
  [[nodiscard]] std::vector<const Timed*> sequence(schedule::Pass pass, const Piece& piece) const;

  graph::OpGraph& graph_;
  Parts<Timed> forward_;
  Parts<Timed> backward_;
  std::map<Key, std::int32_t> known_;
};

}  // namespace flotilla::step
