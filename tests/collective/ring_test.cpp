#include "sim/collective/ring.h"

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

}  // namespace

TEST_CASE("ring all-reduce in a node takes 2 (n-1)/n S/B + 2 (n-1) alpha") {
  for (std::int64_t n : {2, 4, 8}) {
    const auto plan = plan_ring(Op::all_reduce, 1_GB, in_one_node(n), one_protocol(0_s, 3_us, 0_s));
    const double k = static_cast<double>(n);
    CHECK(plan.time.value() == Approx(2 * (k - 1) / k * 1e9 / 100e9 + 2 * (k - 1) * 3e-6));
  }
}

TEST_CASE("ring all-gather and reduce-scatter take (n-1)/n S/B + (n-1) alpha") {
  for (Op op : {Op::all_gather, Op::reduce_scatter}) {
    const auto plan = plan_ring(op, 1_GB, in_one_node(8), one_protocol(0_s, 3_us, 0_s));
    CHECK(plan.time.value() == Approx(7.0 / 8 * 1e9 / 100e9 + 7 * 3e-6));
  }
}

TEST_CASE("between nodes, one rank a node: the NIC carries everything") {
  // n = 4 nodes at 10 GB/s: 2 (n-1)/n S/B + 2 (n-1) alpha.
  const Placement at{.ranks = 4, .nodes = 4, .ranks_per_node = 1, .network_rate = 10_GBps};
  const auto plan = plan_ring(Op::all_reduce, 1_GB, at, one_protocol(0_s, 0_s, 20_us));
  CHECK(plan.node_bytes == Bytes(0));
  CHECK(plan.time.value() == Approx(2 * 0.75 * 1e9 / 10e9 + 6 * 20e-6));
}

TEST_CASE("k ranks a node leave by k NICs: each carries 1/k of the ring's bytes") {
  // Two nodes of 8: bus bytes 2 (15/16) S a rank, an eighth of them by its NIC at 10 GB/s, the rest
  // over the node's fabric at 100 GB/s; the slower one counts. Hops: 30 steps, 2 of them between
  // nodes.
  const Placement at{
      .ranks = 16, .nodes = 2, .ranks_per_node = 8, .node_rate = 100_GBps, .network_rate = 10_GBps};
  const auto plan = plan_ring(Op::all_reduce, 1_GB, at, one_protocol(5_us, 3_us, 20_us));
  const double bus_bytes = 2 * 15.0 / 16 * 1e9;
  CHECK(plan.network_bytes.value() == Approx(bus_bytes / 8));
  CHECK(plan.node_bytes.value() == Approx(bus_bytes * 7 / 8));
  CHECK(plan.time.value() == Approx(bus_bytes / 8 / 10e9 + 5e-6 + 28 * 3e-6 + 2 * 20e-6));
}

TEST_CASE("a group of one rank moves nothing") {
  const auto plan = plan_ring(Op::all_reduce, 1_GB, Placement{}, one_protocol(5_us, 3_us, 20_us));
  CHECK(plan.time == Seconds(0));
}

TEST_CASE("a collective takes the protocol that is fastest for its size") {
  config::CollectiveLibrary library = one_protocol(8_us, 4_us, 0_s);
  library.protocols.push_back({.name = "ll",
                               .base = 6_us,
                               .hop = {{config::LinkKind::nvlink, Seconds(0.6e-6)}},
                               .bandwidth_fraction = {{config::LinkKind::nvlink, 0.5}}});
  CHECK(plan_ring(Op::all_reduce, Bytes(1024), in_one_node(8), library).protocol == "ll");
  CHECK(plan_ring(Op::all_reduce, 1_GB, in_one_node(8), library).protocol == "simple");
}

TEST_CASE("a larger tensor never takes less time") {
  config::CollectiveLibrary library = one_protocol(8_us, 4_us, 0_s);
  library.protocols.push_back({.name = "ll",
                               .base = 6_us,
                               .hop = {},
                               .bandwidth_fraction = {{config::LinkKind::nvlink, 0.25}}});
  Seconds last;
  for (double bytes = 256; bytes < 1e10; bytes *= 1.5) {
    const Seconds time = plan_ring(Op::all_reduce, Bytes(bytes), in_one_node(8), library).time;
    CHECK(time > last);
    last = time;
  }
}

TEST_CASE("bus bandwidth factors are those of nccl-tests") {
  CHECK(bus_factor(Op::all_reduce, 8) == Approx(2 * 7.0 / 8));
  CHECK(bus_factor(Op::all_gather, 8) == Approx(7.0 / 8));
  CHECK(bus_factor(Op::reduce_scatter, 2) == Approx(0.5));
}
