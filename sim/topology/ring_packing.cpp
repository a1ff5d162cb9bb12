#include "sim/topology/ring_packing.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace flotilla::topology {

namespace {

constexpr int kMostSteps = 200'000;

class Packing {
 public:
  explicit Packing(LinkCounts links) : left_(std::move(links)) {}

  // The most cycles that the remaining links hold.
  std::int64_t cycles() {
    const std::int64_t bound = bound_on_cycles();
    std::int64_t best = 0;
    std::vector<std::size_t> path{0};
    if (bound > 0) extend(path, bound, best);
    return best;
  }

 private:
  // Each cycle takes two links of every member.
  [[nodiscard]] std::int64_t bound_on_cycles() const {
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (const auto& row : left_) {
      fewest = std::min(fewest, std::accumulate(row.begin(), row.end(), std::int64_t{0}));
    }
    return fewest / 2;
  }

  void extend(std::vector<std::size_t>& path, std::int64_t bound, std::int64_t& best) {
    if (best == bound || ++steps_ > kMostSteps) return;
    const std::size_t here = path.back();
    if (path.size() == left_.size()) {
      if (left_[here][path.front()] == 0) return;
      take(path, 1);
      best = std::max(best, 1 + cycles());
      take(path, -1);
      return;
    }
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const bool visited = std::find(path.begin(), path.end(), i) != path.end();
      if (left_[here][i] > 0 && !visited) next.push_back(i);
    }
    // Widest pairs first: they have links to spare.
    std::stable_sort(next.begin(), next.end(),
                     [&](std::size_t a, std::size_t b) { return left_[here][a] > left_[here][b]; });
    for (const std::size_t i : next) {
      path.push_back(i);
      extend(path, bound, best);
      path.pop_back();
    }
  }

  void take(const std::vector<std::size_t>& path, std::int64_t count) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const std::size_t a = path[i];
      const std::size_t b = path[(i + 1) % path.size()];
      left_[a][b] -= count;
      left_[b][a] -= count;
    }
  }

  LinkCounts left_;
  int steps_ = 0;
};

}  // namespace

std::int64_t directed_rings(const LinkCounts& links) {
  if (links.size() < 2) return 0;
  if (links.size() == 2) return links[0][1];
  return 2 * Packing(links).cycles();
}

}  // namespace flotilla::topology
