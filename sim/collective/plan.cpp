#include <algorithm>
#include <array>
#include <stdexcept>

#include "sim/collective/algorithms.h"
#include "sim/collective/nccl_choice.h"
#include "sim/collective/ways.h"
#include "sim/config/collective_names.h"

namespace flotilla::collective {

namespace {

using config::Choice;
using config::CollectiveLibrary;

// What a library takes into consideration by itself. It leaves hierarchical all-reduces to the
// programs above it, and trees inside one node to nobody.
bool considers(Op op, Algorithm algorithm, const Placement& at) {
  if (!supports(op, algorithm, at)) return false;
  switch (algorithm) {
    case Algorithm::ring:
    case Algorithm::pairwise:
      return true;
    case Algorithm::tree:
      return op == Op::all_reduce && at.nodes > 1;
    case Algorithm::hierarchical:
      return false;
    case Algorithm::nvls:
    case Algorithm::nvls_tree:
      return op == Op::all_reduce && at.ranks_per_node >= at.node_tuning.in_switch->smallest_group;
  }
  return false;
}

std::vector<Way> candidates(Op op, const Placement& at, const CollectiveLibrary& library,
                            std::optional<Algorithm> algorithm) {
  std::vector<Way> found;
  for (const auto& [name, each] : config::algorithm_names()) {
    if (algorithm ? each != *algorithm : !considers(op, each, at)) continue;
    for (Way& way : ways(each, at, library)) found.push_back(std::move(way));
  }
  return found;
}

// NCCL's choice, and everything that it prefers for larger sizes: where a later choice would be
// faster already, it is taken, so that a larger tensor never takes less time.
void keep_what_nccl_would_run(Op op, Bytes bytes, const Placement& at,
                              const CollectiveLibrary& library, std::vector<Way>& ways) {
  std::vector<Estimate> estimates = nccl_estimates(op, at, library.network_channels);
  const auto rank = [&](const Way& way) {
    return std::find_if(estimates.begin(), estimates.end(), [&](const Estimate& e) {
      return e.algorithm == way.algorithm && e.protocol == way.protocol;
    });
  };
  // With a forced algorithm the choice is among its protocols.
  std::erase_if(estimates, [&](const Estimate& e) {
    return std::none_of(ways.begin(), ways.end(), [&](const Way& way) {
      return way.algorithm == e.algorithm && way.protocol == e.protocol;
    });
  });
  if (estimates.empty()) return;
  const auto pick = estimates.begin() + static_cast<std::ptrdiff_t>(nccl_pick(estimates, bytes));
  std::erase_if(ways, [&](const Way& way) {
    const auto found = rank(way);
    return found == estimates.end() || found < pick;
  });
}

}  // namespace

Plan plan(Op op, Bytes bytes, const Placement& at, const CollectiveLibrary& library,
          std::optional<Algorithm> algorithm) {
  if (algorithm && !supports(op, *algorithm, at)) {
    throw std::invalid_argument(std::string(name_of(*algorithm)) + " cannot run " +
                                std::string(name_of(op)) + " here");
  }
  if (at.ranks <= 1) return {};
  if (const auto named = library.algorithms.find(op);
      !algorithm && named != library.algorithms.end()) {
    if (supports(op, named->second, at)) algorithm = named->second;
  }
  if (library.protocols.empty()) throw std::logic_error("a collective library without protocols");
  std::vector<Way> all = candidates(op, at, library, algorithm);
  if (library.choice == Choice::nccl) keep_what_nccl_would_run(op, bytes, at, library, all);
  const BytesPerSecond network_rate =
      op == Op::all_to_all && at.all_to_all_rate ? *at.all_to_all_rate : at.network_rate;
  std::optional<Plan> best;
  for (const Way& way : all) {
    const Demand asked = demand(op, way.algorithm, bytes, at, library.network_channels);
    Plan one = timed(asked, way, at, network_rate);
    if (!best || one.time < best->time) best = std::move(one);
  }
  return *best;
}

}  // namespace flotilla::collective
