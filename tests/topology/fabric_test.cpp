#include "sim/topology/fabric.h"

#include "sim/topology/share.h"
#include "tests/catch.h"
#include "tests/support/models.h"

using namespace flotilla;
using namespace flotilla::topology;

namespace {

// Eight nodes of two GPUs in pods of four, 1:4 between pods.
config::Platform two_pods() {
  config::Platform p = test::ideal_platform(2, 8);
  p.tiers = {{.name = "pod", .nodes = 4, .oversubscription = 4, .latency = Seconds(10e-6)}};
  return p;
}

}  // namespace

TEST_CASE("inside a node a transfer takes the two ports and nothing of the network") {
  const Fabric fabric(two_pods());
  CHECK(fabric.route(0, 1) ==
        std::vector<EdgeIndex>{fabric.node_port_out(0), fabric.node_port_in(1)});
  CHECK(fabric.route(3, 3).empty());
}

TEST_CASE("inside a pod it takes the two NICs, between pods the uplinks too") {
  const Fabric fabric(two_pods());
  CHECK(fabric.route(0, 2) ==
        std::vector<EdgeIndex>{fabric.network_port_out(0), fabric.network_port_in(2)});
  const auto far = fabric.route(0, 15);
  REQUIRE(far.size() == 4);
  CHECK(far.front() == fabric.network_port_out(0));
  CHECK(far.back() == fabric.network_port_in(15));
}

TEST_CASE("an uplink is as wide as nodes x NICs / oversubscription") {
  // 4 nodes x 2 NICs x 10 GB/s / 4.
  const Fabric fabric(two_pods());
  CHECK(fabric.edge(fabric.route(0, 15)[1]).capacity.value() == Approx(4 * 2 * 10e9 / 4));
}

TEST_CASE("all GPUs of a pod sending to the other pod get 1/oversubscription of their NIC") {
  const Fabric fabric(two_pods());
  Load load(fabric);
  for (Gpu g = 0; g < 8; ++g) load.add({g, g + 8});
  CHECK(load.share({0, 8}).value() == Approx(10e9 / 4));
}

TEST_CASE("two GPUs of a pod sending to the other pod are not slowed by it") {
  const Fabric fabric(two_pods());
  Load load(fabric);
  load.add({0, 8});
  load.add({1, 9});
  CHECK(load.share({0, 8}).value() == Approx(10e9));
}

TEST_CASE("GPUs that share a NIC share its bandwidth") {
  config::Platform p = test::ideal_platform(4, 2);
  p.node.nics = 2;
  const Fabric fabric(p);
  CHECK(fabric.gpus_per_nic() == 2);
  CHECK(fabric.network_port_out(0) == fabric.network_port_out(1));
  CHECK(fabric.network_port_out(0) != fabric.network_port_out(2));
}

TEST_CASE("a GPU with two NICs has both of them") {
  config::Platform p = test::ideal_platform(2, 2);
  p.node.nics = 4;
  const Fabric fabric(p);
  CHECK(fabric.edge(fabric.network_port_out(0)).capacity.value() == Approx(20e9));
}

TEST_CASE("a route costs the latencies of the NICs and of every layer that it passes") {
  config::Platform p = two_pods();
  p.node.nic.latency = Seconds(1e-6);
  p.tiers.push_back(
      {.name = "cluster", .nodes = 8, .oversubscription = 1, .latency = Seconds(20e-6)});
  const Fabric fabric(p);
  CHECK(route_latency(fabric, {0, 1}) == Seconds(0));
  CHECK(route_latency(fabric, {0, 2}).value() == Approx(1e-6 + 10e-6));
  CHECK(route_latency(fabric, {0, 15}).value() == Approx(1e-6 + 10e-6 + 20e-6 + 10e-6));
}

TEST_CASE("a platform without NICs is one node") {
  const Fabric fabric(test::ideal_platform(2, 1));
  CHECK(fabric.gpus() == 2);
  CHECK(fabric.route(0, 1).size() == 2);
}
