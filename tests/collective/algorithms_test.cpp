#include <algorithm>
#include <stdexcept>

#include "sim/collective/collective.h"
#include "tests/catch.h"

using namespace flotilla;
using namespace flotilla::collective;
using namespace flotilla::literals;

namespace {

config::CollectiveLibrary one_protocol(Seconds base, Seconds node_hop, Seconds network_hop) {
  config::CollectiveLibrary library;
  library.protocols = {
      {.name = "simple",
       .base = base,
       .hop = {{config::LinkKind::nvlink, node_hop}, {config::LinkKind::network, network_hop}},
       .bandwidth_fraction = {}}};
  return library;
}

Placement in_one_node(std::int64_t ranks) {
  return {.ranks = ranks, .nodes = 1, .ranks_per_node = ranks, .node_rate = 100_GBps};
}

Placement with_switch(std::int64_t ranks) {
  Placement at = in_one_node(ranks);
  at.node_tuning.in_switch.emplace().wire.base = Seconds(0);
  return at;
}

}  // namespace

TEST_CASE("ring all-reduce in a node takes 2 (n-1)/n S/B + 2 (n-1) alpha") {
  for (std::int64_t n : {2, 4, 8}) {
    const auto made =
        plan(Op::all_reduce, 1_GB, in_one_node(n), one_protocol(0_s, 3_us, 0_s), Algorithm::ring);
    const double k = static_cast<double>(n);
    CHECK(made.time.value() == Approx(2 * (k - 1) / k * 1e9 / 100e9 + 2 * (k - 1) * 3e-6));
  }
}

TEST_CASE("ring all-gather and reduce-scatter take (n-1)/n S/B + (n-1) alpha") {
  for (Op op : {Op::all_gather, Op::reduce_scatter}) {
    const auto made = plan(op, 1_GB, in_one_node(8), one_protocol(0_s, 3_us, 0_s), Algorithm::ring);
    CHECK(made.time.value() == Approx(7.0 / 8 * 1e9 / 100e9 + 7 * 3e-6));
  }
}

TEST_CASE("between nodes, one rank a node: the NIC carries everything") {
  // n = 4 nodes at 10 GB/s: 2 (n-1)/n S/B + 2 (n-1) alpha.
  const Placement at{.ranks = 4, .nodes = 4, .ranks_per_node = 1, .network_rate = 10_GBps};
  const auto made = plan(Op::all_reduce, 1_GB, at, one_protocol(0_s, 0_s, 20_us), Algorithm::ring);
  CHECK(made.node_bytes == Bytes(0));
  CHECK(made.time.value() == Approx(2 * 0.75 * 1e9 / 10e9 + 6 * 20e-6));
}

TEST_CASE("k ranks a node leave by k NICs: each carries 1/k of the ring's bytes") {
  // Two nodes of 8: bus bytes 2 (15/16) S a rank, an eighth of them by its NIC at 10 GB/s, the rest
  // over the node's fabric at 100 GB/s; the slower one counts. Hops: 30 steps, 2 of them between
  // nodes.
  const Placement at{
      .ranks = 16, .nodes = 2, .ranks_per_node = 8, .node_rate = 100_GBps, .network_rate = 10_GBps};
  const auto made =
      plan(Op::all_reduce, 1_GB, at, one_protocol(5_us, 3_us, 20_us), Algorithm::ring);
  const double bus_bytes = 2 * 15.0 / 16 * 1e9;
  CHECK(made.network_bytes.value() == Approx(bus_bytes / 8));
  CHECK(made.node_bytes.value() == Approx(bus_bytes * 7 / 8));
  CHECK(made.time.value() == Approx(bus_bytes / 8 / 10e9 + 5e-6 + 28 * 3e-6 + 2 * 20e-6));
}

TEST_CASE("a group of one rank moves nothing") {
  const auto made = plan(Op::all_reduce, 1_GB, Placement{}, one_protocol(5_us, 3_us, 20_us));
  CHECK(made.time == Seconds(0));
}

TEST_CASE("a collective takes the protocol that is fastest for its size") {
  config::CollectiveLibrary library = one_protocol(8_us, 4_us, 0_s);
  library.protocols.push_back({.name = "ll",
                               .base = 6_us,
                               .hop = {{config::LinkKind::nvlink, Seconds(0.6e-6)}},
                               .bandwidth_fraction = {{config::LinkKind::nvlink, 0.5}}});
  CHECK(plan(Op::all_reduce, Bytes(1024), in_one_node(8), library).protocol == "ll");
  CHECK(plan(Op::all_reduce, 1_GB, in_one_node(8), library).protocol == "simple");
}

TEST_CASE("a larger tensor never takes less time") {
  config::CollectiveLibrary library = one_protocol(8_us, 4_us, 0_s);
  library.protocols.push_back({.name = "ll",
                               .base = 6_us,
                               .hop = {},
                               .bandwidth_fraction = {{config::LinkKind::nvlink, 0.25}}});
  Seconds last;
  for (double bytes = 256; bytes < 1e10; bytes *= 1.5) {
    const Seconds time = plan(Op::all_reduce, Bytes(bytes), in_one_node(8), library).time;
    CHECK(time > last);
    last = time;
  }
}

TEST_CASE("a tree in a node is a chain: 2 (k-1)/k S/B + 2 (k-1) alpha") {
  const auto made =
      plan(Op::all_reduce, 1_GB, in_one_node(8), one_protocol(0_s, 3_us, 0_s), Algorithm::tree);
  CHECK(made.time.value() == Approx(2 * 7.0 / 8 * 1e9 / 100e9 + 14 * 3e-6));
  CHECK(made.network_bytes == Bytes(0));
}

TEST_CASE("a double binary tree over N nodes takes 2 S/B + 2 log2(N) alpha") {
  const Placement at{.ranks = 16, .nodes = 16, .ranks_per_node = 1, .network_rate = 10_GBps};
  const auto made = plan(Op::all_reduce, 1_GB, at, one_protocol(0_s, 0_s, 20_us), Algorithm::tree);
  CHECK(made.time.value() == Approx(2 * 1e9 / 10e9 + 2 * 4 * 20e-6));
}

TEST_CASE("the tree of two nodes exchanges halves: twice the bus bandwidth of the NICs") {
  // Eight NICs of 10 GB/s: S / 80 GB/s, so busbw = 2 (15/16) x 80 GB/s; a ring stays below 80.
  const Placement at{
      .ranks = 16, .nodes = 2, .ranks_per_node = 8, .node_rate = 400_GBps, .network_rate = 10_GBps};
  const auto library = one_protocol(0_s, 0_s, 0_s);
  const auto tree = plan(Op::all_reduce, 1_GB, at, library, Algorithm::tree);
  CHECK(tree.time.value() == Approx(1e9 / 80e9));
  const auto ring = plan(Op::all_reduce, 1_GB, at, library, Algorithm::ring);
  CHECK(1e9 * 2 * 15 / 16 / ring.time.value() <= Approx(80e9));
}

TEST_CASE("hierarchical tiers work one after the other, and the bytes on both ports are told") {
  // 4 nodes of 8: reduce-scatter and all-gather in the node 2 (7/8) S/Bn + 14 alpha, a ring over
  // the nodes with an eighth 2 (3/4) S/8/Bx + 6 beta.
  const Placement at{
      .ranks = 32, .nodes = 4, .ranks_per_node = 8, .node_rate = 100_GBps, .network_rate = 10_GBps};
  const auto made =
      plan(Op::all_reduce, 1_GB, at, one_protocol(5_us, 3_us, 20_us), Algorithm::hierarchical);
  CHECK(made.node_bytes.value() == Approx(2 * 7.0 / 8 * 1e9));
  CHECK(made.network_bytes.value() == Approx(2 * 3.0 / 4 / 8 * 1e9));
  CHECK(made.time.value() ==
        Approx(1.75e9 / 100e9 + 1.5e9 / 8 / 10e9 + 5e-6 + 14 * 3e-6 + 6 * 20e-6));
  CHECK(made.time.value() == Approx((made.latency + std::max(made.node_bytes / at.node_rate,
                                                             made.network_bytes / at.network_rate))
                                        .value()));
}

TEST_CASE("a switch that adds lets an all-reduce beat the ring, by its own bound (1 + 1/n) S/B") {
  const auto library = one_protocol(0_s, 0_s, 0_s);
  const auto made = plan(Op::all_reduce, 1_GB, with_switch(8), library, Algorithm::nvls);
  CHECK(made.time.value() == Approx((1 + 1.0 / 8) * 1e9 / 100e9));
  CHECK(plan(Op::all_reduce, 1_GB, with_switch(8), library).algorithm == Algorithm::nvls);
  CHECK_FALSE(supports(Op::all_reduce, Algorithm::nvls, in_one_node(8)));
}

TEST_CASE("an in-switch tree takes the slower of the switch and the tree between nodes") {
  Placement at = with_switch(8);
  at.ranks = 32;
  at.nodes = 4;
  at.network_rate = 10_GBps;
  const auto made =
      plan(Op::all_reduce, 1_GB, at, one_protocol(0_s, 0_s, 20_us), Algorithm::nvls_tree);
  CHECK(made.node_bytes.value() == Approx(1.125e9));
  CHECK(made.network_bytes.value() == Approx(2e9 / 8));
  CHECK(made.time.value() == Approx(2e9 / 8 / 10e9 + 2 * 2 * 20e-6));
}

TEST_CASE("all-to-all sends (k-1)/n S inside the node and (n-k)/n S by the rank's own NIC") {
  // Two nodes of 8: busbw = (15/16) S / (8/16 S / B) = 1.875 B, nearly twice the NIC.
  const Placement at{
      .ranks = 16, .nodes = 2, .ranks_per_node = 8, .node_rate = 400_GBps, .network_rate = 50_GBps};
  const auto made = plan(Op::all_to_all, 1_GB, at, one_protocol(0_s, 0_s, 0_s));
  CHECK(made.algorithm == Algorithm::pairwise);
  CHECK(made.node_bytes.value() == Approx(7.0 / 16 * 1e9));
  CHECK(made.network_bytes.value() == Approx(8.0 / 16 * 1e9));
  CHECK(1e9 * bus_factor(Op::all_to_all, 16) / made.time.value() == Approx(1.875 * 50e9));
}

TEST_CASE("broadcast takes S/B + (n-1) alpha as a ring") {
  const auto made = plan(Op::broadcast, 1_GB, in_one_node(4), one_protocol(0_s, 3_us, 0_s));
  CHECK(made.time.value() == Approx(1e9 / 100e9 + 3 * 3e-6));
}

TEST_CASE("what a link type measured replaces the library's constants") {
  Placement at = in_one_node(2);
  at.node_tuning.protocols["simple"] = {
      .base = 1_us, .hop = 2_us, .bandwidth_fraction = 0.5, .local_copy = 0.4};
  // (n-1)/n S at half the rate, 1/n S copied at 0.4 of that time a byte.
  const auto made = plan(Op::all_gather, 1_GB, at, one_protocol(5_us, 3_us, 0_s));
  CHECK(made.time.value() == Approx(1e-6 + 2e-6 + 0.5e9 / 50e9 * 1.4));
  CHECK(made.node_bytes.value() == Approx(1e9));
}

TEST_CASE("filling the pipeline costs a share of the bytes until it is full") {
  Placement at = in_one_node(2);
  at.node_tuning.protocols["simple"] = {.fill_share = 0.5, .fill = Bytes(1e6)};
  const auto library = one_protocol(0_s, 0_s, 0_s);
  CHECK(plan(Op::all_reduce, Bytes(1e6), at, library, Algorithm::ring).time.value() ==
        Approx(1.5e6 / 100e9));
  CHECK(plan(Op::all_reduce, 1_GB, at, library, Algorithm::ring).time.value() ==
        Approx(1.001e9 / 100e9));
}

TEST_CASE("a library's named algorithm runs where the group's place allows it") {
  auto library = one_protocol(0_s, 0_s, 0_s);
  library.algorithms[Op::all_reduce] = Algorithm::hierarchical;
  CHECK(plan(Op::all_reduce, 1_GB, in_one_node(8), library).algorithm == Algorithm::ring);
  const Placement at{
      .ranks = 16, .nodes = 2, .ranks_per_node = 8, .node_rate = 100_GBps, .network_rate = 10_GBps};
  CHECK(plan(Op::all_reduce, 1_GB, at, library).algorithm == Algorithm::hierarchical);
  CHECK(plan(Op::all_gather, 1_GB, at, library).algorithm == Algorithm::ring);
}

TEST_CASE("an algorithm that cannot run an operation is refused") {
  const auto library = one_protocol(0_s, 0_s, 0_s);
  CHECK_THROWS_AS(plan(Op::all_to_all, 1_GB, in_one_node(8), library, Algorithm::ring),
                  std::invalid_argument);
  CHECK_THROWS_AS(plan(Op::all_reduce, 1_GB, in_one_node(8), library, Algorithm::hierarchical),
                  std::invalid_argument);
}

TEST_CASE("bus bandwidth factors are those of nccl-tests") {
  CHECK(bus_factor(Op::all_reduce, 8) == Approx(2 * 7.0 / 8));
  CHECK(bus_factor(Op::all_gather, 8) == Approx(7.0 / 8));
  CHECK(bus_factor(Op::reduce_scatter, 2) == Approx(0.5));
}
