// Inside a node: meshes of pairs, PCIe trees, and the rings that run on them.
#include "sim/topology/node_ring.h"
#include "sim/topology/ring_packing.h"
#include "tests/catch.h"
#include "tests/support/models.h"
#include "tests/topology/machines.h"

using namespace flotilla;
using namespace flotilla::topology;
using namespace flotilla::test;

namespace {

// A ring over these GPUs alone on the node, in GB/s.
NodeRing ring(const config::Platform& platform, const std::vector<Gpu>& members) {
  const Fabric fabric(platform);
  Load load(fabric);
  for (const Transfer& hop : ring_hops(members)) load.add(hop);
  return node_ring(fabric, platform.node, load, members);
}

double share(const config::Platform& platform, Gpu from, Gpu to) {
  const Fabric fabric(platform);
  Load load(fabric);
  load.add({from, to});
  return load.share({from, to}).value() / 1e9;
}

LinkCounts all_pairs(std::size_t members, std::int64_t links) {
  LinkCounts counts(members, std::vector<std::int64_t>(members, links));
  for (std::size_t i = 0; i < members; ++i) counts[i][i] = 0;
  return counts;
}

}  // namespace

TEST_CASE("a bridged card is ten times nearer to its partner than to the next pair") {
  CHECK(share(bridged_machine(), 0, 1) == Approx(80));
  CHECK(share(bridged_machine(), 0, 2) == Approx(8));  // PCIe of one socket
  CHECK(share(bridged_machine(), 0, 4) == Approx(5));  // and between the sockets
}

TEST_CASE("a ring of a bridged pair runs on NVLink, a larger one at the pace of PCIe") {
  const NodeRing pair = ring(bridged_machine(), {0, 1});
  CHECK(pair.rate.value() == Approx(80e9));
  CHECK(pair.kind == config::LinkKind::nvlink);
  const NodeRing four = ring(bridged_machine(), {0, 1, 2, 3});
  CHECK(four.rate.value() == Approx(8e9));
  CHECK(four.kind == config::LinkKind::pcie);
  CHECK(ring(bridged_machine(), {0, 1, 2, 3, 4, 5, 6, 7}).rate.value() == Approx(5e9));
}

TEST_CASE("the hybrid cube runs six rings of one link each on all of its GPUs") {
  CHECK(ring(hybrid_cube_machine(), {0, 1, 2, 3, 4, 5, 6, 7}).rate.value() == Approx(6 * 25e9));
  // Four of them have 4 links or 5 to one another: 2 cycles, 4 rings.
  CHECK(ring(hybrid_cube_machine(), {0, 1, 2, 3}).rate.value() == Approx(4 * 25e9));
  CHECK(ring(hybrid_cube_machine(), {0, 3}).rate.value() == Approx(2 * 25e9));
  // 0 and 5 share no link.
  CHECK(ring(hybrid_cube_machine(), {0, 5}).kind == config::LinkKind::pcie);
}

TEST_CASE("n members joined pair by pair run as many rings as a member has links to pair up") {
  CHECK(directed_rings(all_pairs(2, 12)) == 12);
  CHECK(directed_rings(all_pairs(3, 1)) == 2);
  CHECK(directed_rings(all_pairs(4, 4)) == 12);  // 4 x A100 of an HGX board: 12 links a GPU
  CHECK(directed_rings(all_pairs(5, 1)) == 4);
  CHECK(directed_rings(all_pairs(8, 1)) == 6);  // 7 links: the seventh is left over
}

TEST_CASE("members in a row have no ring") {
  // 0 - 1 - 2.
  CHECK(directed_rings({{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}) == 0);
}

TEST_CASE("rings of two pairs over one PCIe switch share its uplink") {
  // Both pairs of GPUs 0-3 cross the uplinks of switch 0 and switch 1 at the same time.
  config::Platform p = bridged_machine();
  p.node.fabric = config::NodeFabric::pcie;
  p.node.mesh.clear();
  const Fabric fabric(p);
  Load load(fabric);
  for (const std::vector<Gpu>& members : {std::vector<Gpu>{0, 2}, std::vector<Gpu>{1, 3}}) {
    for (const Transfer& hop : ring_hops(members)) load.add(hop);
  }
  CHECK(node_ring(fabric, p.node, load, {0, 2}).rate.value() == Approx(8e9 / 2));
}

TEST_CASE("a NIC behind PCIe is as fast as the way to it") {
  config::Platform p = clos_machine(4, 2, 2);
  p.node.fabric = config::NodeFabric::pcie;
  p.node.pcie = {.sockets = 1, .switches = 2};
  p.node.pcie->link.bandwidth = BytesPerSecond(4e9);
  p.node.pcie->uplink.bandwidth = BytesPerSecond(4e9);
  CHECK(share(p, 0, 4) == Approx(4));
  CHECK(Fabric(p).route(0, 4).size() == 6);  // GPU, PCIe switch, NIC, network, and the same again
}

TEST_CASE("72 GPUs behind one NVSwitch are as near to one another as 8") {
  CHECK(share(ideal_platform(72, 1), 0, 71) == Approx(100));
  CHECK(Fabric(ideal_platform(72, 1)).route(0, 71).size() == 2);
}
