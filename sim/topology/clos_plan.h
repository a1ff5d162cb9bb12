// The three networks that are layers of switches, as one description: who hangs below whom, and how
// wide the way up is.
#pragma once

#include "sim/topology/network.h"

namespace flotilla::topology {

// Layer by layer, innermost first. A group of a layer is one switch in the innermost layer, and as
// many parallel switches above as the uplinks below multiply to.
struct ClosPlan {
  struct Layer {
    std::string name;
    Seconds latency;                  // of one passage
    std::int64_t groups = 1;          // the last layer has one
    std::vector<std::int64_t> above;  // by group: the group of the next layer that it hangs on
    BytesPerSecond width;             // of all links upwards of one group
    std::int64_t uplinks = 1;         // of each switch; 1 with ideal balance
  };
  std::vector<Layer> layers;
  std::vector<std::int64_t> group_of_nic;  // in the innermost layer
};

// Platform::tiers, and a core above them if they do not join everything.
ClosPlan plan_tiers(const config::Platform& platform, const NicRow& nics);
// The innermost tier has a switch for each rail: the k-th NICs of its nodes.
ClosPlan plan_rails(const config::Platform& platform, const NicRow& nics);
// radix k: k/2 NICs on a leaf, k/2 leaves in a pod (3 levels), full bisection.
ClosPlan plan_fat_tree(const config::Platform& platform, const NicRow& nics);

}  // namespace flotilla::topology
