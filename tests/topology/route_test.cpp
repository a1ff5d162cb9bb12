// What holds for the routes of every kind of machine, and their lengths on paper.
#include <algorithm>
#include <chrono>
#include <set>

#include "sim/topology/fabric.h"
#include "sim/topology/share.h"
#include "tests/catch.h"
#include "tests/config/scratch.h"
#include "tests/topology/machines.h"

using namespace flotilla;
using namespace flotilla::topology;
using namespace flotilla::test;

namespace {

// Where a route may begin or end: at the GPU, or at its NIC.
bool at_end(const Fabric& fabric, Vertex vertex, Gpu gpu) {
  const auto& devices = fabric.devices();
  if (vertex == devices.gpus[static_cast<std::size_t>(gpu)]) return true;
  return fabric.network() != nullptr &&
         vertex == devices.nics[static_cast<std::size_t>(fabric.nic_of(gpu))];
}

}  // namespace

TEST_CASE("every route is connected, repeats no edge, and is as long as the way back") {
  for (const auto& [name, platform] : every_kind_of_machine()) {
    CAPTURE(name);
    const Fabric fabric(platform);
    const Wiring& wiring = fabric.wiring();
    for (Gpu a = 0; a < fabric.gpus(); ++a) {
      for (Gpu b = 0; b < fabric.gpus(); ++b) {
        const Path path = fabric.route(a, b);
        CAPTURE(a, b);
        REQUIRE(path.size() == fabric.route(b, a).size());
        REQUIRE(path.empty() == (a == b));
        if (a == b) continue;
        REQUIRE(at_end(fabric, wiring.source(path.front()), a));
        REQUIRE(at_end(fabric, wiring.target(path.back()), b));
        for (std::size_t i = 1; i < path.size(); ++i) {
          REQUIRE(wiring.target(path[i - 1]) == wiring.source(path[i]));
        }
        REQUIRE(std::set<EdgeIndex>(path.begin(), path.end()).size() == path.size());
      }
    }
  }
}

TEST_CASE("every edge of a machine has a bandwidth, and its opposite is as wide") {
  for (const auto& [name, platform] : every_kind_of_machine()) {
    CAPTURE(name);
    const Fabric fabric(platform);
    for (std::size_t i = 0; i < fabric.edge_count(); i += 2) {
      const auto e = static_cast<EdgeIndex>(i);
      REQUIRE(fabric.edge(e).capacity > BytesPerSecond(0));
      REQUIRE(fabric.edge(e).capacity == fabric.edge(e + 1).capacity);
      REQUIRE(fabric.wiring().source(e) == fabric.wiring().target(e + 1));
    }
  }
}

TEST_CASE("a rail joins equal NICs in one switch, and other NICs over the spine") {
  const Fabric fabric(rail_machine(4, 8, 4));
  CHECK(fabric.route(0, 4).size() == 2);      // NIC 0 of nodes 0 and 1: the same leaf
  CHECK(fabric.route(0, 5).size() == 4);      // NIC 0 to NIC 1: leaf, spine, leaf
  CHECK(fabric.route(0, 4 * 4).size() == 4);  // NIC 0 of the next group of nodes
}

TEST_CASE("a fat tree has 2, 4 or 6 edges between NICs of one leaf, one pod, two pods") {
  // Radix 4: 2 NICs on a leaf, 4 in a pod, 16 in all.
  const Fabric fabric(fat_tree_machine(16, 4, 3));
  CHECK(fabric.route(0, 1).size() == 2);
  CHECK(fabric.route(0, 2).size() == 4);
  CHECK(fabric.route(0, 4).size() == 6);
}

TEST_CASE("a torus takes the shorter way round in every dimension") {
  // 8 x 4: from (0, 0) to (7, 0) is one hop, to (4, 2) it is 4 + 2; and two NIC ports.
  const Fabric fabric(torus_machine({8, 4}));
  CHECK(fabric.route(0, 7).size() == 1 + 2);
  CHECK(fabric.route(0, 4 + 8 * 2).size() == 6 + 2);
  CHECK(route_latency(fabric, {0, 7}).value() == Approx(1e-6));
}

TEST_CASE("a dragonfly crosses at most one global cable and two local ones") {
  const Fabric fabric(dragonfly_machine(9, 4, 2, 2));
  std::size_t longest = 0;
  for (Gpu b = 1; b < fabric.gpus(); ++b) longest = std::max(longest, fabric.route(0, b).size());
  CHECK(longest == 3 + 2);
  CHECK(fabric.route(0, 1).size() == 2);  // the same router
  CHECK(fabric.route(0, 2).size() == 3);  // its group
}

TEST_CASE("hashed flows keep to one path each and use all of them together") {
  config::Platform p = clos_machine(1, 32, 16);
  p.network.balance = config::Balance::hash;
  p.tiers[0].uplinks = 4;
  const Fabric fabric(p);
  std::set<EdgeIndex> uplinks;
  for (Gpu a = 0; a < 16; ++a) {
    for (Gpu b = 16; b < 32; ++b) {
      const Path path = fabric.route(a, b);
      REQUIRE(path == fabric.route(a, b));
      uplinks.insert(path[1]);
    }
  }
  CHECK(uplinks.size() == 4);
  // An uplink is a quarter of what the pod sends: 16 NICs x 10 GB/s / 4.
  CHECK(fabric.edge(*uplinks.begin()).capacity.value() == Approx(16 * 10e9 / 4));
}

TEST_CASE("hashed flows collide where evenly spread ones do not") {
  // All of a pod send to the other one: with ideal balance each gets its NIC, by hash some spine
  // carries more than its share of 16 / 4 flows.
  const auto slowest = [](config::Balance balance) {
    config::Platform p = clos_machine(1, 32, 16);
    p.network.balance = balance;
    p.tiers[0].uplinks = 4;
    const Fabric fabric(p);
    Load load(fabric);
    for (Gpu g = 0; g < 16; ++g) load.add({g, g + 16});
    BytesPerSecond least = load.share({0, 16});
    for (Gpu g = 0; g < 16; ++g) least = std::min(least, load.share({g, g + 16}));
    return least.value();
  };
  CHECK(slowest(config::Balance::ideal) == Approx(10e9));
  CHECK(slowest(config::Balance::hash) < 10e9);
}

TEST_CASE("a list routes over the fewest cables and over every equal path") {
  const Fabric fabric(listed_machine());
  CHECK(fabric.route(0, 1).size() == 2);
  std::set<EdgeIndex> first_hops;
  for (const auto& [a, b] : {std::pair{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 0}, {3, 0}, {2, 1}}) {
    CHECK(fabric.route(a, b).size() == 4);
    first_hops.insert(fabric.route(a, b)[1]);
  }
  CHECK(first_hops.size() > 2);
}

TEST_CASE("GPUs use the NIC that the platform gives them") {
  config::Platform p = clos_machine(4, 2, 2);
  p.node.nics = 2;
  p.node.nic_of_gpu = {1, 1, 0, 1};
  const Fabric fabric(p);
  CHECK(fabric.nic_of(0) == 1);
  CHECK(fabric.nic_of(2) == 0);
  CHECK(fabric.nic_of(4) == 3);
  CHECK(fabric.gpus_per_nic() == 3);
  CHECK(fabric.nic_sharers(2) == 1);
}

TEST_CASE("24,576 GPUs are wired in a fraction of a second, and a route takes microseconds") {
  const config::Platform platform = load_file("llama3-405b-16k-h100").platform;
  const auto seconds_since = [](std::chrono::steady_clock::time_point begun) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  };
  const auto begun = std::chrono::steady_clock::now();
  const Fabric fabric(platform);
  CHECK(fabric.gpus() == 24'576);
  CHECK(seconds_since(begun) < 1);  // 0.02 s without sanitizers, on an idle machine
  const auto routing = std::chrono::steady_clock::now();
  std::size_t edges = 0;
  for (Gpu g = 1; g < fabric.gpus(); ++g) edges += fabric.route(0, g).size();
  CHECK(edges > 0);
  CHECK(seconds_since(routing) < 1);
}
