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
      : graph_(graph), timeline_(timeline), before_(graph::predecessors(graph)) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const Op& op = graph.ops()[i];
      const auto rank = static_cast<std::size_t>(op.rank);
      if (rank >= compute_.size()) compute_.resize(rank + 1);
      if (rank >= last_data_.size()) last_data_.resize(rank + 1, no_op);
      const auto id = static_cast<OpId>(i);
      if (op.stream == Stream::compute) compute_[rank].push_back(id);
      if (op.stream == Stream::data && op.purpose != Purpose::gradient_norm &&
          (last_data_[rank] == no_op || end(last_data_[rank]) < end(id))) {
        last_data_[rank] = id;
      }
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
      if (start(id) > now) explain_gap(now, start(id), latest_before(id), graph_.op(id).rank);
      add_block(id);
      now = end(id);
    }
    // After its last block a rank is done or still gathers parameters; the rest of the step belongs
    // to ranks that take longer.
    if (const OpId data = last_data_[rank]; data != no_op && end(data) > now) {
      sum_.dp_exposed += end(data) - now;
      now = end(data);
    }
    sum_.bubble += timeline_.makespan - now;
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

  [[nodiscard]] OpId latest_before(OpId id) const {
    OpId latest = no_op;
    for (OpId earlier : before_.of(id)) {
      if (latest == no_op || end(earlier) > end(latest)) latest = earlier;
    }
    return latest;
  }

  Seconds& reason(const Op& op, std::int32_t rank) {
    if (op.stream == Stream::pipeline) return sum_.pp_exposed;
    if (op.purpose == Purpose::gradient_norm) return sum_.optimizer;
    if (op.stream == Stream::data && (op.rank == rank || op.purpose == Purpose::embedding_reduce)) {
      return sum_.dp_exposed;
    }
    return sum_.bubble;
  }

  // Explains [from, to) of a rank, backwards along the chain of operations that ended last.
  void explain_gap(Seconds from, Seconds to, OpId cause, std::int32_t rank) {
    while (to > from && cause != no_op) {
      const Seconds begun = std::max(from, std::min(to, start(cause)));
      reason(graph_.op(cause), rank) += to - begun;
      to = begun;
      cause = latest_before(cause);
    }
    if (to > from) sum_.bubble += to - from;
  }

  const graph::OpGraph& graph_;
  const graph::Timeline& timeline_;
  graph::Adjacency before_;
  std::vector<std::vector<OpId>> compute_;  // by rank, in the order of execution
  std::vector<OpId> last_data_;
  Breakdown sum_;
};

}  // namespace

Breakdown attribute(const graph::OpGraph& graph, const graph::Timeline& timeline) {
  return Attribution(graph, timeline).mean();
}

}  // namespace flotilla::report
