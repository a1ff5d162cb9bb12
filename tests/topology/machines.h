// Small machines of every kind: 10 GB/s a NIC, 100 GB/s a GPU port, no latency unless said.
#pragma once

#include <string>
#include <vector>

#include "sim/config/platform.h"

namespace flotilla::test {

// Layers over `nodes` nodes: one tier of `tier_nodes` at 1:oversubscription below a core.
config::Platform clos_machine(std::int64_t gpus, std::int64_t nodes, std::int64_t tier_nodes,
                              double oversubscription = 1);
config::Platform rail_machine(std::int64_t gpus, std::int64_t nodes, std::int64_t tier_nodes);
config::Platform fat_tree_machine(std::int64_t nodes, std::int64_t radix, std::int64_t levels);
// g groups of a routers with p single-GPU nodes each, h global cables a router; cables of 10 GB/s.
config::Platform dragonfly_machine(std::int64_t g, std::int64_t a, std::int64_t p, std::int64_t h);
// One GPU a node, cables of 10 GB/s.
config::Platform torus_machine(const std::vector<std::int64_t>& dimensions);
// Two leaves of two nodes each below two spines; cables of 10 GB/s between switches.
config::Platform listed_machine();
// One node of GPUs in bridged pairs, 8 links x 10 GB/s; PCIe of 8 GB/s on two sockets of two
// switches joined by 5 GB/s.
config::Platform bridged_machine();
// The hybrid cube mesh of a DGX-1: 6 links x 25 GB/s a GPU.
config::Platform hybrid_cube_machine();

struct Machine {
  std::string name;
  config::Platform platform;
};
// One of each, those with hash balance among them.
std::vector<Machine> every_kind_of_machine();

}  // namespace flotilla::test
