#include "sim/collective/uneven.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "sim/collective/ways.h"

namespace flotilla::collective {

namespace {

struct Load {
  std::vector<Bytes> sent, received;
  explicit Load(std::size_t ranks) : sent(ranks), received(ranks) {}
  [[nodiscard]] Bytes busiest() const {
    return std::max(*std::max_element(sent.begin(), sent.end()),
                    *std::max_element(received.begin(), received.end()));
  }
};

}  // namespace

Plan plan_uneven_all_to_all(const std::vector<std::vector<Bytes>>& bytes, const Placement& at,
                            const config::CollectiveLibrary& library) {
  const auto ranks = static_cast<std::size_t>(at.ranks);
  const bool square =
      bytes.size() == ranks &&
      std::all_of(bytes.begin(), bytes.end(), [&](const auto& row) { return row.size() == ranks; });
  if (!square) throw std::invalid_argument("an all-to-all needs a size for every pair of ranks");
  if (ranks <= 1) return {};
  const auto per_node = static_cast<std::size_t>(at.ranks_per_node);
  Load inside(ranks);
  Load outside(ranks);
  Bytes own;
  for (std::size_t i = 0; i < ranks; ++i) {
    own = std::max(own, bytes[i][i]);
    for (std::size_t j = 0; j < ranks; ++j) {
      if (i == j) continue;
      Load& load = i / per_node == j / per_node ? inside : outside;
      load.sent[i] += bytes[i][j];
      load.received[j] += bytes[i][j];
    }
  }
  Demand asked = demand(Op::all_to_all, Algorithm::pairwise, Bytes(), at, 0);
  asked.node = inside.busiest();
  asked.network = outside.busiest();
  asked.local = own;
  std::optional<Plan> best;
  for (const Way& way : ways(Algorithm::pairwise, at, library)) {
    Plan one = timed(asked, way, at, at.all_to_all_rate.value_or(at.network_rate));
    if (!best || one.time < best->time) best = std::move(one);
  }
  return *best;
}

}  // namespace flotilla::collective
