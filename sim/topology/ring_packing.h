// How many rings run at once over the direct links of a mesh.
#pragma once

#include <cstdint>
#include <vector>

namespace flotilla::topology {

using LinkCounts = std::vector<std::vector<std::int64_t>>;  // symmetric, by two members

// Rings through all members, each with a link of its own to the next: two for every Hamiltonian
// cycle, one each way round, no link in two cycles. Two members: one for each of their links.
// 0 when no cycle passes all members. At most the fewest links that a member has; the search for
// it is bounded, so in a large irregular mesh it may find fewer.
// A collective sends at rings x rate of one link (NVIDIA DGX-1: 6 x 25 GB/s).
std::int64_t directed_rings(const LinkCounts& links);

}  // namespace flotilla::topology
