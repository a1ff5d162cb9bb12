#include "sim/report/attribution.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace flotilla::report {

namespace {

using graph::no_op;
using graph::Op;
using graph::OpId;
using graph::Purpose;
using graph::Stream;

class Attribution {
 public:
  Attribution(const graph::OpGraph& graph, const graph::Timeline& timeline)
      : graph_(graph),
        timeline_(timeline),
        before_(graph::predecessors(graph)),
        latest_(graph.size(), unknown) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const Op& op = graph.ops()[i];
      const auto rank = static_cast<std::size_t>(op.rank);
      if (rank >= compute_.size()) compute_.resize(rank + 1);
      const auto id = static_cast<OpId>(i);
      if (op.stream == Stream::compute) compute_[rank].push_back(id);
      if (last_ == no_op || end(last_) < end(id)) last_ = id;
    }
  }

  Breakdown mean() {
    for (std::size_t rank = 0; rank < compute_.size(); ++rank) add_rank(rank);
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, compute_.size()));
    for (Seconds* part : {&sum_.compute, &sum_.recompute, &sum_.tp_exposed, &sum_.pp_exposed,
                          &sum_.dp_exposed, &sum_.bubble, &sum_.optimizer}) {
      *part *= share;
    }
    return sum_;
  }

 private:
  [[nodiscard]] Seconds start(OpId id) const { return timeline_.at(id).start; }
  [[nodiscard]] Seconds end(OpId id) const { return timeline_.at(id).end; }

  void add_rank(std::size_t rank) {
    Seconds now;
    for (OpId id : compute_[rank]) {
      if (start(id) > now) explain_gap(now, start(id), latest_before(id));
      add_block(id);
      now = end(id);
    }
    // After its last block a rank is done; the rest of the step belongs to what takes longest.
    if (timeline_.makespan > now) explain_gap(now, timeline_.makespan, last_);
  }

  void add_block(OpId id) {
    const Op& op = graph_.op(id);
    const Seconds length = end(id) - start(id);
    if (op.profile < 0) {
      (op.purpose == Purpose::optimizer ? sum_.optimizer : sum_.compute) += length;
      return;
    }
    const auto& profile = graph_.profiles()[static_cast<std::size_t>(op.profile)];
    sum_.recompute += profile.recompute;
    sum_.tp_exposed += profile.tensor_exposed;
    // The rest, so that rounding cannot unbalance the sum.
    sum_.compute += length - profile.recompute - profile.tensor_exposed;
  }

  // What an operation waited for last. Many chains lead through the few operations that all ranks
  // wait for, so it is looked up once.
  OpId latest_before(OpId id) {
    OpId& latest = latest_[static_cast<std::size_t>(id)];
    if (latest != unknown) return latest;
    latest = no_op;
    for (OpId earlier : before_.of(id)) {
      if (latest == no_op || end(earlier) > end(latest)) latest = earlier;
    }
    return latest;
  }

  // `own_stage`: the operation is still one of the stage that waits.
  Seconds& reason(const Op& op, bool own_stage) {
    if (op.stream == Stream::pipeline) return sum_.pp_exposed;
    if (op.purpose == Purpose::gradient_norm) return sum_.optimizer;
    if (op.stream == Stream::data) return sum_.dp_exposed;
    // An exchange of another stage holds this one up as its kernels do.
    if (op.stream == Stream::tensor && own_stage) return sum_.tp_exposed;
    return sum_.bubble;
  }

  // Explains [from, to) of a rank, backwards along the chain of operations that ended last.
  void explain_gap(Seconds from, Seconds to, OpId cause) {
    bool own_stage = true;
    while (to > from && cause != no_op) {
      const Op& op = graph_.op(cause);
      const Seconds begun = std::max(from, std::min(to, start(cause)));
      reason(op, own_stage) += to - begun;
      to = begun;
      own_stage = own_stage && op.stream == Stream::tensor;
      cause = latest_before(cause);
    }
    if (to > from) sum_.bubble += to - from;
  }

  const graph::OpGraph& graph_;
  const graph::Timeline& timeline_;
  graph::Adjacency before_;
  std::vector<std::vector<OpId>> compute_;  // by rank, in the order of execution
  static constexpr OpId unknown = -2;
  std::vector<OpId> latest_;  // by operation; unknown: not looked up so far
  OpId last_ = no_op;         // of the whole step
  Breakdown sum_;
};

}  // namespace

Breakdown attribute(const graph::OpGraph& graph, const graph::Timeline& timeline) {
  return Attribution(graph, timeline).mean();
}

}  // namespace flotilla::report
