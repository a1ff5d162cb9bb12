#include "sim/step/lone_group.h"

#include <algorithm>
#include <limits>

#include "sim/step/groups.h"

namespace flotilla::step {

namespace {

using layout::Rank;
using topology::Transfer;

// What one rank of an all-to-all gets of the network: every pair between two nodes exchanges the
// same amount, and the edge that the most pairs share is the slowest. A rank's own pairs count as
// many as there are peers on other nodes, so  rate = peers x the smallest share of a pair.
BytesPerSecond all_to_all_rate(const std::vector<Rank>& group, std::int64_t peers,
                               const topology::Fabric& fabric) {
  topology::Load load(fabric);
  const auto each_pair = [&](auto&& visit) {
    for (Rank from : group) {
      for (Rank to : group) {
        if (fabric.node_of(from) != fabric.node_of(to)) visit(Transfer{from, to});
      }
    }
  };
  each_pair([&](const Transfer& pair) { load.add(pair); });
  BytesPerSecond smallest(std::numeric_limits<double>::infinity());
  each_pair([&](const Transfer& pair) { smallest = std::min(smallest, load.share(pair)); });
  return smallest * static_cast<double>(peers);
}

// Beyond this the pairs are too many to count; the ring's share stands in.
constexpr std::size_t kMostPairwiseRanks = 1024;

}  // namespace

collective::Placement group_placement(const std::vector<Rank>& group,
                                      const config::Platform& platform,
                                      const topology::Fabric& fabric) {
  topology::Load load(fabric);
  for (const Transfer& hop : hops_between_nodes(group, fabric)) load.add(hop);
  collective::Placement at = group_site(group, platform, fabric, load).placement;
  if (at.nodes > 1 && group.size() <= kMostPairwiseRanks) {
    at.all_to_all_rate = all_to_all_rate(group, at.ranks - at.ranks_per_node, fabric);
  }
  return at;
}

}  // namespace flotilla::step
