#include "sim/step/collective_use.h"

#include <algorithm>
#include <cstddef>

namespace flotilla::step {

namespace {

using graph::Op;
using graph::OpId;
using graph::Span;
using graph::Stream;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Busy intervals of one rank's compute stream, in order, and how much of an interval they cover.
class BusyTime {
 public:
  void add(Span span) {
    busy_.push_back(span);
    covered_.push_back((covered_.empty() ? Seconds() : covered_.back()) + (span.end - span.start));
  }
  [[nodiscard]] Seconds within(Span span) const { return until(span.end) - until(span.start); }

 private:
  [[nodiscard]] Seconds until(Seconds t) const {
    const auto next = std::upper_bound(busy_.begin(), busy_.end(), t,
                                       [](Seconds time, const Span& b) { return time < b.start; });
    if (next == busy_.begin()) return Seconds(0);
    const auto last = static_cast<std::size_t>(next - busy_.begin()) - 1;
    const Seconds before = last == 0 ? Seconds() : covered_[last - 1];
    return before + (std::min(t, busy_[last].end) - busy_[last].start);
  }
  std::vector<Span> busy_;
  std::vector<Seconds> covered_;
};

// What the exchanges inside one block of a profile contribute to each kind.
std::vector<CollectiveUse> uses_of(const graph::BlockProfile& profile, std::size_t kinds) {
  std::vector<CollectiveUse> uses(kinds);
  BusyTime kernels;
  for (const auto& segment : profile.segments) {
    if (segment.stream == Stream::compute) {
      kernels.add({segment.start, segment.start + segment.duration});
    }
  }
  for (const auto& segment : profile.segments) {
    if (segment.collective < 0) continue;
    CollectiveUse& use = uses[at(segment.collective)];
    ++use.calls;
    use.time += segment.duration;
    use.hidden += kernels.within({segment.start, segment.start + segment.duration});
  }
  return uses;
}

}  // namespace

CollectiveUse& CollectiveUse::operator+=(const CollectiveUse& other) {
  calls += other.calls;
  time += other.time;
  hidden += other.hidden;
  if (calls_by_rank.size() < other.calls_by_rank.size()) {
    calls_by_rank.resize(other.calls_by_rank.size(), 0);
  }
  for (std::size_t r = 0; r < other.calls_by_rank.size(); ++r) {
    calls_by_rank[r] += other.calls_by_rank[r];
  }
  return *this;
}

std::vector<CollectiveUse> collective_uses(const StepGraph& step, const graph::Timeline& timeline) {
  const std::size_t kinds = step.collectives.kinds().size();
  const graph::OpGraph& graph = step.graph;
  std::vector<std::vector<CollectiveUse>> in_block;
  for (const auto& profile : graph.profiles()) in_block.push_back(uses_of(profile, kinds));

  std::size_t ranks = 0;
  for (const Op& op : graph.ops()) ranks = std::max(ranks, at(op.rank) + 1);
  std::vector<BusyTime> busy(ranks);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Op& op = graph.ops()[i];
    if (op.stream == Stream::compute) busy[at(op.rank)].add(timeline.spans[i]);
  }

  std::vector<CollectiveUse> total(kinds);
  for (CollectiveUse& use : total) use.calls_by_rank.assign(ranks, 0);
  const auto add = [&](std::size_t kind, std::size_t rank, const CollectiveUse& use) {
    total[kind] += use;
    total[kind].calls_by_rank[rank] += use.calls;
  };
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Op& op = graph.ops()[i];
    if (op.profile >= 0) {
      const auto& uses = in_block[at(op.profile)];
      for (std::size_t k = 0; k < kinds; ++k) add(k, at(op.rank), uses[k]);
    }
    if (op.collective >= 0) {
      const Span span = timeline.spans[i];
      CollectiveUse use;
      use.calls = 1;
      use.time = span.end - span.start;
      use.hidden = busy[at(op.rank)].within(span);
      add(at(op.collective), at(op.rank), use);
    }
  }
  return total;
}

}  // namespace flotilla::step
