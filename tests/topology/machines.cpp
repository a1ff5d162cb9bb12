#include "tests/topology/machines.h"

#include "tests/support/models.h"

namespace flotilla::test {

namespace {

constexpr BytesPerSecond kCable(10e9);

config::Link pcie(double bandwidth) {
  return {.name = "PCIe",
          .source = {},
          .kind = config::LinkKind::pcie,
          .bandwidth = BytesPerSecond(bandwidth),
          .efficiency = 1,
          .latency = Seconds(1e-6)};
}

}  // namespace

config::Platform clos_machine(std::int64_t gpus, std::int64_t nodes, std::int64_t tier_nodes,
                              double oversubscription) {
  config::Platform p = ideal_platform(gpus, nodes);
  p.tiers = {{.name = "pod", .nodes = tier_nodes, .oversubscription = oversubscription}};
  return p;
}

config::Platform rail_machine(std::int64_t gpus, std::int64_t nodes, std::int64_t tier_nodes) {
  config::Platform p = clos_machine(gpus, nodes, tier_nodes);
  p.tiers[0].name = "rail";
  p.network.kind = config::NetworkKind::rail;
  return p;
}

config::Platform fat_tree_machine(std::int64_t nodes, std::int64_t radix, std::int64_t levels) {
  config::Platform p = ideal_platform(1, nodes);
  p.network.kind = config::NetworkKind::fat_tree;
  p.network.fat_tree = {.radix = radix, .levels = levels};
  return p;
}

config::Platform dragonfly_machine(std::int64_t g, std::int64_t a, std::int64_t p, std::int64_t h) {
  config::Platform platform = ideal_platform(1, g * a * p);
  platform.network.kind = config::NetworkKind::dragonfly;
  platform.network.dragonfly = {.groups = g,
                                .routers = a,
                                .nics_per_router = p,
                                .global_per_router = h,
                                .local = {kCable, Seconds(1e-6)},
                                .global = {kCable, Seconds(2e-6)}};
  return platform;
}

config::Platform torus_machine(const std::vector<std::int64_t>& dimensions) {
  std::int64_t nodes = 1;
  for (const std::int64_t length : dimensions) nodes *= length;
  config::Platform p = ideal_platform(1, nodes);
  p.network.kind = config::NetworkKind::torus;
  p.network.torus = {.dimensions = dimensions, .cable = {kCable, Seconds(1e-6)}};
  return p;
}

config::Platform listed_machine() {
  config::Platform p = ideal_platform(1, 4);
  p.network.kind = config::NetworkKind::list;
  config::ListedNetwork& list = p.network.list;
  list.switches = {"leaf a", "leaf b", "spine a", "spine b"};
  const config::Cable cable{kCable, Seconds(1e-6)};
  list.cables = {
      {.from = {.a_switch = 0}, .to = {.first_node = 0, .last_node = 1}, .cable = cable},
      {.from = {.a_switch = 1}, .to = {.first_node = 2, .last_node = 3}, .cable = cable}};
  for (std::int64_t leaf = 0; leaf < 2; ++leaf) {
    for (std::int64_t spine = 2; spine < 4; ++spine) {
      list.cables.push_back(
          {.from = {.a_switch = spine}, .to = {.a_switch = leaf}, .cable = cable});
    }
  }
  return p;
}

config::Platform bridged_machine() {
  config::Platform p = ideal_platform(8, 1);
  p.node.fabric = config::NodeFabric::mesh;
  p.node.link.bandwidth = BytesPerSecond(80e9);
  for (std::int64_t a = 0; a < 8; a += 2) p.node.mesh.push_back({a, a + 1, 8});
  p.node.pcie = {.sockets = 2,
                 .switches = 4,
                 .link = pcie(8e9),
                 .uplink = pcie(8e9),
                 .interconnect = pcie(5e9)};
  return p;
}

config::Platform hybrid_cube_machine() {
  config::Platform p = ideal_platform(8, 1);
  p.node.fabric = config::NodeFabric::mesh;
  p.node.link.bandwidth = BytesPerSecond(150e9);
  p.node.mesh = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {1, 2, 2}, {1, 3, 1}, {2, 3, 2},
                 {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2},
                 {0, 4, 2}, {1, 5, 2}, {2, 6, 1}, {3, 7, 1}};
  p.node.pcie = {.sockets = 2,
                 .switches = 4,
                 .link = pcie(8e9),
                 .uplink = pcie(8e9),
                 .interconnect = pcie(5e9)};
  return p;
}

std::vector<Machine> every_kind_of_machine() {
  config::Platform hash = clos_machine(2, 8, 2);
  hash.network.balance = config::Balance::hash;
  hash.tiers = {{.name = "leaf", .nodes = 2, .uplinks = 4},
                {.name = "pod", .nodes = 4, .oversubscription = 2, .uplinks = 2}};
  config::Platform hashed_tree = fat_tree_machine(16, 4, 3);
  hashed_tree.network.balance = config::Balance::hash;
  config::Platform affinity = clos_machine(4, 4, 2);
  affinity.node.nics = 2;
  affinity.node.nic_of_gpu = {1, 1, 0, 1};
  config::Platform host = clos_machine(4, 4, 2);
  host.node.fabric = config::NodeFabric::pcie;
  host.node.pcie = {.sockets = 2,
                    .switches = 2,
                    .link = pcie(20e9),
                    .uplink = pcie(20e9),
                    .interconnect = pcie(10e9)};
  return {{"one node", ideal_platform(8, 1)},
          {"pods", clos_machine(2, 8, 4, 4)},
          {"hash", hash},
          {"rails", rail_machine(4, 8, 4)},
          {"fat tree", fat_tree_machine(16, 4, 3)},
          {"fat tree with hash", hashed_tree},
          {"dragonfly", dragonfly_machine(3, 2, 2, 2)},
          {"torus", torus_machine({4, 3, 2})},
          {"list", listed_machine()},
          {"bridged pairs", bridged_machine()},
          {"hybrid cube", hybrid_cube_machine()},
          {"affinity", affinity},
          {"PCIe tree", host}};
}

}  // namespace flotilla::test
