// The compute blocks of a scenario by what they hold, each timed once and reused.
#pragma once

#include <map>
#include <tuple>

#include "sim/config/scenario.h"
#include "sim/graph/op_graph.h"
#include "sim/schedule/schedule.h"
#include "sim/step/block.h"
#include "sim/step/buckets.h"

namespace flotilla::step {

class PassBlocks {
 public:
  PassBlocks(const config::Scenario& scenario, const BlockTimer& timer);

  // Index in graph.profiles() of a pass over that piece, added when it is new.
  std::int32_t profile(graph::OpGraph& graph, schedule::Pass pass, const Piece& piece);

 private:
  struct Parts {
    graph::BlockProfile embedding;
    graph::BlockProfile layer;
    graph::BlockProfile head;
  };
  using Key = std::tuple<schedule::Pass, std::int64_t, bool, bool>;

  [[nodiscard]] const Parts& parts(schedule::Pass pass) const {
    return pass == schedule::Pass::forward ? forward_ : backward_;
  }

  Parts forward_;
  Parts backward_;
  std::map<Key, std::int32_t> known_;
};

}  // namespace flotilla::step
