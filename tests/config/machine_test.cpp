// Nodes, networks, placements and broken elements as people write them, and what they read when
// one cannot be.
#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla;
using namespace flotilla::test;

namespace {

// The legal scenario has 4 nodes of 8 GPUs with 8 NICs, and uses 16 GPUs.
config::Scenario with(const Overrides& overrides) { return load_text(legal_scenario(), overrides); }
std::string refused(const Overrides& overrides) { return refusal(legal_scenario(), overrides); }

const std::string kTorus =
    R"({"kind": "torus", "dimensions": [2, 2], "cable": {"bandwidth": "100 Gb/s", "latency": "1 us"}})";

std::string dragonfly(const std::string& sizes) {
  return R"(platform.network={"kind": "dragonfly", )" + sizes +
         R"(, "local": {"bandwidth": "1 GB/s", "latency": "1 us"},
             "global": {"bandwidth": "1 GB/s", "latency": "1 us"}})";
}

std::string list_of(const std::string& links) {
  return R"(platform.network={"kind": "list", "switches": ["leaf", "spine"], "links": [)" + links +
         "]}";
}

std::string cable(const std::string& a, const std::string& b) {
  return R"({"between": [")" + a + R"(", ")" + b +
         R"("], "bandwidth": "1 GB/s", "latency": "0 s"})";
}

Overrides network(const std::string& text) { return {"platform.tiers=null", text}; }

}  // namespace

TEST_CASE("every kind of network can be written") {
  using config::NetworkKind;
  CHECK(with({}).platform.network.kind == NetworkKind::clos);
  CHECK(
      with({R"(platform.network={"kind": "rail", "balance": "hash"})"}).platform.network.balance ==
      config::Balance::hash);
  CHECK(with(network(R"(platform.network={"kind": "fat-tree", "radix": 8})"))
            .platform.network.fat_tree.levels == 3);
  CHECK(with(network("platform.network=" + kTorus)).platform.network.torus.dimensions.size() == 2);
  CHECK(with(network(dragonfly(R"("groups": 2, "routers": 4, "nics_per_router": 4,
                                  "global_per_router": 1)")))
            .platform.network.dragonfly.groups == 2);
  const auto list = with(network(list_of(cable("nodes 0-2", "leaf") + "," +
                                         cable("node 3", "spine") + "," + cable("leaf", "spine"))));
  CHECK(list.platform.network.list.cables.size() == 3);
}

TEST_CASE("a network that cannot be is refused with its arithmetic") {
  CHECK_THAT(refused({"platform.network.kind=clos-ish"}), contains("did you mean \"clos\"?"));
  CHECK_THAT(refused(network(R"(platform.network={"kind": "fat-tree", "radix": 4})")),
             contains("has 16 ports (radix^3 / 4), the nodes need 32"));
  CHECK_THAT(refused(network(R"(platform.network={"kind": "fat-tree", "radix": 4})")),
             contains("the smallest radix that works: 6"));
  CHECK_THAT(refused(network(R"(platform.network={"kind": "fat-tree", "radix": 7})")),
             contains("nearest that work: 6, 8"));
  CHECK_THAT(refused({"platform.tiers=null", "platform.network=" + kTorus,
                      "platform.network.dimensions=[3, 2]"}),
             contains("3 x 2 = 6 places for 4 nodes"));
  CHECK_THAT(refused(network(dragonfly(R"("groups": 4, "routers": 2, "nics_per_router": 4,
                                          "global_per_router": 1)"))),
             contains("= 2 cables of a group do not divide over the 3 other groups"));
  CHECK_THAT(refused(network(dragonfly(R"("groups": 2, "routers": 2, "nics_per_router": 4,
                                          "global_per_router": 1)"))),
             contains("= 16 ports, the nodes need 32"));
  CHECK_THAT(refused({"platform.network=" + kTorus}), contains("belong to a network of kind"));
  CHECK_THAT(refused({"platform.tiers=null", "platform.network=" + kTorus,
                      "platform.network.balance=hash"}),
             contains("unknown key"));
}

TEST_CASE("a network without bandwidth is refused") {
  CHECK_THAT(refused({"platform.node.nic.bandwidth=0 GB/s"}), contains("must be more than zero"));
  CHECK_THAT(refused({"platform.tiers=null", "platform.network=" + kTorus,
                      "platform.network.cable.bandwidth=0 GB/s"}),
             contains("must be more than zero"));
}

TEST_CASE("a network larger than can be built is refused") {
  CHECK_THAT(refused(network(dragonfly(R"("groups": 1000, "routers": 1000, "nics_per_router": 1,
                                          "global_per_router": 999)"))),
             contains("more links than can be simulated"));
  CHECK_THAT(refused({R"(platform.network={"kind": "clos", "balance": "hash"})",
                      R"(platform.tiers=[{"nodes": 1, "uplinks": 1000},
                                         {"nodes": 2, "uplinks": 1000},
                                         {"nodes": 4, "uplinks": 1000}])"}),
             contains("more links than can be simulated"));
}

TEST_CASE("a listed network that leaves a NIC out, or apart, is refused") {
  CHECK_THAT(refused(network(list_of(cable("nodes 0-2", "leaf")))),
             contains("node 3 nic 0 is joined to no switch: its GPUs are cut off"));
  CHECK_THAT(
      refused(network(list_of(cable("nodes 0-1", "leaf") + "," + cable("nodes 2-3", "spine")))),
      contains("node 2 nic 0 has no way to node 0 nic 0"));
  CHECK_THAT(refused(network(list_of(cable("nodes 0-3", "leaf") + "," + cable("node 1", "spine")))),
             contains("node 1 nic 0 has a cable already"));
  CHECK_THAT(refused(network(list_of(cable("nodes 0-4", "leaf")))),
             contains("there are nodes 0 to 3 with NICs 0 to 7"));
  CHECK_THAT(refused(network(list_of(cable("nodes 0-3", "leef")))),
             contains("did you mean \"leaf\"?"));
  CHECK_THAT(refused(network(list_of(cable("node 0", "node 1")))), contains("needs a switch"));
}

TEST_CASE("a mesh that leaves two GPUs apart is refused unless they meet over PCIe") {
  const Overrides pair = {"platform.node.fabric=mesh", R"(platform.node.mesh=[{"gpus": [0, 1]}])"};
  CHECK_THAT(refused(pair), contains("GPU 0 and GPU 2 have no link and no other way to meet"));
  Overrides host = pair;
  host.emplace_back(R"(platform.node.pcie={"link": "pcie4-x16"})");
  CHECK(with(host).platform.node.pcie->link.bandwidth.value() == Approx(31.5e9));
  CHECK_THAT(refused({"platform.node.fabric=mesh", R"(platform.node.mesh=[{"gpus": [0, 8]}])"}),
             contains("too large: at most 7"));
  CHECK_THAT(refused({"platform.node.fabric=mesh", R"(platform.node.mesh=[{"gpus": [0, 0]}])"}),
             contains("two different GPUs"));
  CHECK_THAT(refused({"platform.node.fabric=mesh",
                      R"(platform.node.mesh=[{"gpus": [0, 1]}, {"gpus": [1, 0]}])"}),
             contains("this pair is there already"));
  CHECK_THAT(refused({R"(platform.node.mesh=[{"gpus": [0, 1]}])"}),
             contains("only a node whose \"fabric\" is \"mesh\""));
}

TEST_CASE("a PCIe tree that does not divide is refused") {
  const auto tree = [](const std::string& text) {
    return Overrides{"platform.node.fabric=pcie", "platform.node.pcie=" + text};
  };
  CHECK(with(tree(R"({"sockets": 2, "switches": 4, "interconnect": "upi"})"))
            .platform.node.pcie->switches == 4);
  CHECK_THAT(refused(tree(R"({"switches": 3})")),
             contains("8 GPUs do not divide evenly over 3 switches"));
  CHECK_THAT(refused(tree(R"({"sockets": 2, "switches": 3, "interconnect": "upi"})")),
             contains("3 switches do not divide evenly over 2 sockets"));
  CHECK_THAT(refused(tree(R"({"sockets": 2})")), contains("missing here: \"interconnect\""));
  CHECK_THAT(refused({R"(platform.node.pcie={"link": "pcie4-x16"})"}), contains("has no effect"));
}

TEST_CASE("NICs by a list need one for each GPU") {
  CHECK(with({"platform.node.nics=3", "platform.node.nic_of_gpu=[0,0,0,1,1,1,2,2]"})
            .platform.node.nic_of_gpu.size() == 8);
  CHECK_THAT(refused({"platform.node.nic_of_gpu=[0,1]"}),
             contains("one NIC for each of the 8 GPUs, found 2"));
  CHECK_THAT(refused({"platform.node.nic_of_gpu=[0,1,2,3,4,5,6,8]"}), contains("at most 7"));
}

TEST_CASE("a placement needs a GPU of its own for each rank") {
  const std::string start = "layout.placement=[16,17,18,19,20,21,22,23,24,25,26,27,28,29,30";
  CHECK(with({start + ",31]"}).layout.placement.front() == 16);
  CHECK(with({"layout.placement=packed"}).layout.placement.empty());
  CHECK_THAT(refused({start + "]"}), contains("each of the 16 ranks, found 15"));
  CHECK_THAT(refused({start + ",30]"}), contains("GPU 30 is there twice"));
  CHECK_THAT(refused({start + ",32]"}), contains("there is no GPU 32"));
  CHECK_THAT(refused({"layout.placement=spread"}), contains("\"packed\""));
}

TEST_CASE("degraded elements are read with their names") {
  const auto s = with({R"(degraded=[{"link": "gpu 3", "bandwidth": 0.5},
                                    {"gpu": 12, "speed": 0.7},
                                    {"nic": "node 3 nic 1", "dead": true}])"});
  REQUIRE(s.degraded.size() == 3);
  CHECK(s.degraded[0].link == "gpu 3");
  CHECK(s.degraded[1].speed == Approx(0.7));
  CHECK(s.degraded[2].node == 3);
  CHECK(s.degraded[2].nic == 1);
}

TEST_CASE("a degraded element that there is not is refused") {
  CHECK_THAT(refused({R"(degraded=[{"gpu": 32, "speed": 0.5}])"}), contains("has GPUs 0 to 31"));
  CHECK_THAT(refused({R"(degraded=[{"gpu": 3, "speed": 0}])"}),
             contains("out of range: a share is"));
  CHECK_THAT(refused({R"(degraded=[{"gpu": 3}])"}), contains("missing here: \"speed\""));
  CHECK_THAT(refused({R"(degraded=[{"nic": "node 3 nic 8", "dead": true}])"}),
             contains("nodes 0 to 3 with NICs 0 to 7"));
  CHECK_THAT(refused({R"(degraded=[{"nic": "3/1", "dead": true}])"}),
             contains("like \"node 3 nic 1\""));
  CHECK_THAT(refused({R"(degraded=[{"gpu": 1, "nic": "node 0 nic 0"}])"}),
             contains("expected one of \"link\", \"gpu\" and \"nic\""));
  CHECK_THAT(refused({R"(degraded=[{"nic": "node 0 nic 0", "dead": true},
                                   {"nic": "node 0 nic 0", "dead": true}])"}),
             contains("in the list already"));
}
