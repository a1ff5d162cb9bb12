// How a group communicates: what each rank sends and receives, the latency, and the time alone.
//
//   time = latency + max(node_bytes / node_rate, network_bytes / network_rate)
//
// is exact for every plan, so a simulator replays one as a delay followed by concurrent flows
// through the rank's port to its node and through its NIC. The equations of the algorithms are in
// algorithms.h, the choice among them in plan.cpp and nccl_choice.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/config/platform.h"
#include "sim/units/quantity.h"

namespace flotilla::collective {

using Op = config::CollectiveOp;
using Algorithm = config::CollectiveAlgorithm;

// Where the ranks of a group are, and what one of them gets of the fabric when nothing else runs.
struct Placement {
  std::int64_t ranks = 1;
  std::int64_t nodes = 1;
  std::int64_t ranks_per_node = 1;
  config::LinkKind node_kind = config::LinkKind::nvlink;
  BytesPerSecond node_rate;     // unused when ranks_per_node is 1
  BytesPerSecond network_rate;  // unused when nodes is 1
  Seconds node_hop;             // latency of the link itself, protocol aside
  Seconds network_hop;
  config::LinkTuning node_tuning;
  config::LinkTuning network_tuning;
  // All-to-all crosses more of a tapered network than a ring does; absent: network_rate.
  std::optional<BytesPerSecond> all_to_all_rate;
};

struct Plan {
  Algorithm algorithm = Algorithm::ring;
  std::string protocol;
  Seconds latency;      // all that uses no port: steps, filling the pipeline, copies, waiting
  Bytes node_bytes;     // through the rank's port to its node, each direction, as on the wire
  Bytes network_bytes;  // through its NIC
  Seconds time;         // alone on the fabric
};

// The plan for a tensor of `bytes`, as nccl-tests counts it: the whole tensor, and for send_recv
// the message. Without an algorithm the library's named one or its choice runs, with one only the
// protocol is chosen.
// A group of one rank costs nothing. Throws std::invalid_argument when `supports` says no.
Plan plan(Op op, Bytes bytes, const Placement& placement, const config::CollectiveLibrary& library,
          std::optional<Algorithm> algorithm = std::nullopt);

// Whether the algorithm computes the operation, and the group's place has what it needs.
bool supports(Op op, Algorithm algorithm, const Placement& placement);

// busbw / algbw as nccl-tests defines it: 2 (n-1)/n for all-reduce, (n-1)/n for all-gather,
// reduce-scatter and all-to-all, 1 for broadcast and send_recv.
double bus_factor(Op op, std::int64_t ranks);

}  // namespace flotilla::collective
