// All-to-all in which pairs exchange different amounts, as routed experts do.
#pragma once

#include <vector>

#include "sim/collective/collective.h"

namespace flotilla::collective {

// bytes[i][j]: what rank i sends to rank j, both counted within the group; ranks fill the nodes of
// the placement in order. Every rank sends and receives at the same time, so the busiest port
// decides:
//
//   node_bytes = max over ranks of max(sent, received) inside its node, network_bytes likewise
//
// With equal amounts S/n this is the plan of Op::all_to_all for S. Throws std::invalid_argument
// when the matrix is not ranks x ranks.
Plan plan_uneven_all_to_all(const std::vector<std::vector<Bytes>>& bytes,
                            const Placement& placement, const config::CollectiveLibrary& library);

}  // namespace flotilla::collective
