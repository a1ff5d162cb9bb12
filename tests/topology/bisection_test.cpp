// Max-flow against what is known on paper.
#include "sim/topology/cut.h"
#include "tests/catch.h"
#include "tests/config/scratch.h"
#include "tests/support/models.h"
#include "tests/topology/machines.h"

using namespace flotilla;
using namespace flotilla::topology;
using namespace flotilla::test;

namespace {

double gigabytes(const config::Platform& platform) {
  return bisection(Fabric(platform)).bandwidth.value() / 1e9;
}

}  // namespace

TEST_CASE("full bisection is N / 2 x NIC") {
  CHECK(gigabytes(clos_machine(2, 8, 4)) == Approx(16 / 2 * 10));
  CHECK(gigabytes(rail_machine(4, 8, 4)) == Approx(32 / 2 * 10));
  CHECK(gigabytes(fat_tree_machine(16, 4, 3)) == Approx(16 / 2 * 10));
  CHECK(gigabytes(fat_tree_machine(8, 4, 2)) == Approx(8 / 2 * 10));
  CHECK(bisection(Fabric(clos_machine(2, 8, 4))).oversubscription() == Approx(1));
}

TEST_CASE("full bisection stays N / 2 x NIC when the spines are drawn one by one") {
  config::Platform p = fat_tree_machine(16, 4, 3);
  p.network.balance = config::Balance::hash;
  CHECK(gigabytes(p) == Approx(16 / 2 * 10));
}

TEST_CASE("a tier oversubscribed 1:k leaves N / 2 x NIC / k") {
  for (const double k : {2.0, 3.0, 7.0}) {
    CAPTURE(k);
    const Bisection cut = bisection(Fabric(clos_machine(2, 8, 4, k)));
    CHECK(cut.bandwidth.value() / 1e9 == Approx(16 / 2 * 10 / k));
    CHECK(cut.oversubscription() == Approx(k));
  }
}

TEST_CASE("oversubscription at each of three tiers multiplies") {
  // 1:2 out of the leaves, 1:3 out of the pods.
  config::Platform p = ideal_platform(1, 16);
  p.tiers = {{.name = "leaf", .nodes = 4, .oversubscription = 2},
             {.name = "pod", .nodes = 8, .oversubscription = 3},
             {.name = "core", .nodes = 16}};
  // The pod's 1:3 is of its nodes' NICs: 8 x 10 / 3. The leaves below let 8 x 10 / 2 through.
  CHECK(gigabytes(p) == Approx(8 * 10.0 / 3));
}

TEST_CASE("the weakest cut of a torus is 2 cables for each line along its longest dimension") {
  // k1 >= k2 >= ...: 2 x k2 x k3 ... cables; all nodes together send less than that in none here.
  CHECK(gigabytes(torus_machine({8, 4})) == Approx(2 * 4 * 10));
  CHECK(gigabytes(torus_machine({4, 8})) == Approx(2 * 4 * 10));
  CHECK(gigabytes(torus_machine({2, 8, 2})) == Approx(2 * 2 * 2 * 10));
  // A ring: two cables.
  CHECK(gigabytes(torus_machine({16})) == Approx(2 * 10));
}

TEST_CASE("a line of two nodes is one cable") {
  CHECK(gigabytes(torus_machine({2})) == Approx(10));
}

TEST_CASE("the bisection of a dragonfly is its (g/2)^2 pairs of groups x cables of a pair") {
  // g = 4, a = 6, h = 1: a h / (g - 1) = 2 cables a pair; (4/2)^2 x 2 = 8 cables of 10 GB/s, less
  // than the 4 x 6 x 2 / 2 = 24 NICs of a half.
  CHECK(gigabytes(dragonfly_machine(4, 6, 2, 1)) == Approx(8 * 10));
}

TEST_CASE("inside a node it is what passes between the lower and the higher GPUs") {
  CHECK(gigabytes(ideal_platform(8, 1)) == Approx(8 / 2 * 100));
  // Hybrid cube: 2 + 2 + 1 + 1 links of 25 GB/s; over PCIe the 5 GB/s between the sockets.
  CHECK(gigabytes(hybrid_cube_machine()) == Approx(6 * 25 + 5));
  // Bridged pairs: nothing but the link between the sockets.
  CHECK(gigabytes(bridged_machine()) == Approx(5));
}

TEST_CASE("the pods of the Llama 3 cluster are oversubscribed 1:7") {
  // 24,576 GPUs x what a 400 Gb/s NIC attains / 2 / 7.
  const config::Platform platform = load_file("llama3-405b-16k-h100").platform;
  const Bisection cut = bisection(Fabric(platform));
  CHECK(cut.oversubscription() == Approx(7));
  CHECK(cut.bandwidth.value() == Approx(24'576 * 50e9 * platform.node.nic.efficiency / 2 / 7));
}
