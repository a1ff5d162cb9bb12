#include "sim/graph/symmetry.h"

#include <array>
#include <random>

#include "sim/engine/engine.h"
#include "tests/catch.h"

using namespace flotilla;
using namespace flotilla::graph;

namespace {

Op span(double seconds, std::int32_t rank) {
  Op op;
  op.rank = rank;
  op.duration = Seconds(seconds);
  return op;
}

Op send(OpGraph& g, std::vector<Flow> flows, double latency = 0) {
  Op op;
  op.stream = Stream::data;
  op.duration = Seconds(latency);
  op.first_flow = g.add_flows(flows);
  op.flow_count = static_cast<std::uint32_t>(flows.size());
  return op;
}

// n ranks that compute, then form a ring over their ports, `rounds` times.
OpGraph ring(std::int32_t n, int rounds, double slow_port = 1) {
  OpGraph g;
  std::vector<LinkId> out, in;
  for (std::int32_t r = 0; r < n; ++r) {
    const double width = r == 0 ? slow_port : 1;
    out.push_back(g.add_link({"out", BytesPerSecond(1e9 * width), true}));
    in.push_back(g.add_link({"in", BytesPerSecond(1e9), true}));
  }
  OpId last = no_op;
  for (int round = 0; round < rounds; ++round) {
    std::vector<OpId> blocks;
    for (std::int32_t r = 0; r < n; ++r) blocks.push_back(g.add(span(0.1, r), std::array{last}));
    std::vector<Flow> flows;
    for (std::int32_t r = 0; r < n; ++r) {
      const auto next = static_cast<std::size_t>((r + 1) % n);
      flows.push_back({Bytes(1e8), g.add_path({out[static_cast<std::size_t>(r)], in[next]})});
    }
    last = g.add(send(g, flows, 1e-5), blocks);
  }
  return g;
}

void check_same_times(const OpGraph& g) {
  const Timeline whole = engine::run(g);
  const Quotient quotient = fold_symmetry(g);
  const Timeline folded = unfold(quotient, engine::run(quotient.graph));
  REQUIRE(folded.spans.size() == whole.spans.size());
  for (std::size_t i = 0; i < g.size(); ++i) {
    CHECK(folded.spans[i].start.value() == Approx(whole.spans[i].start.value()).margin(1e-9));
    CHECK(folded.spans[i].end.value() == Approx(whole.spans[i].end.value()).margin(1e-9));
  }
}

}  // namespace

TEST_CASE("a ring of equals folds to one block and one flow a round, whatever its size") {
  for (std::int32_t n : {2, 8, 64}) {
    const Quotient q = fold_symmetry(ring(n, 3));
    CHECK(q.graph.size() == 6);
    CHECK(q.graph.flows(q.graph.op(1)).size() == 1);
    CHECK(q.graph.links().size() == 1);  // ports in and out are alike
  }
}

TEST_CASE("what folds takes the same time as what does not") {
  check_same_times(ring(6, 3));
  check_same_times(ring(6, 3, 0.5));
}

TEST_CASE("one weak link splits the ring that it is part of") {
  const Quotient q = fold_symmetry(ring(8, 1, 0.5));
  CHECK(q.graph.flows(q.graph.ops().back()).size() == 2);
}

TEST_CASE("flows that meet on one link weigh as much as they are") {
  // Four flows over one uplink of 1 GB/s: 4 x 1e8 B take 0.4 s; a fifth, alone on its own port, 0.1
  // s.
  OpGraph g;
  const LinkId uplink = g.add_link({"uplink", BytesPerSecond(1e9), true});
  for (int i = 0; i < 4; ++i) {
    const LinkId port = g.add_link({"port", BytesPerSecond(1e9), true});
    g.add(send(g, {{Bytes(1e8), g.add_path({port, uplink})}}), {});
  }
  const LinkId alone = g.add_link({"port", BytesPerSecond(1e9), true});
  g.add(send(g, {{Bytes(1e8), g.add_path({alone})}}), {});
  const Quotient q = fold_symmetry(g);
  CHECK(q.graph.size() == 2);
  const Timeline t = unfold(q, engine::run(q.graph));
  CHECK(t.at(0).end.value() == Approx(0.4));
  CHECK(t.at(4).end.value() == Approx(0.1));
  check_same_times(g);
}

TEST_CASE("classes of different weight share a link as their members do") {
  // Three flows of 1e8 B and two of 3e8 B on 1 GB/s: fifths until 0.5 s, then halves of 4e8 B: 0.9
  // s.
  OpGraph g;
  const LinkId link = g.add_link({"link", BytesPerSecond(1e9), true});
  const auto path = g.add_path({link});
  for (int i = 0; i < 3; ++i) g.add(send(g, {{Bytes(1e8), path}}), {});
  for (int i = 0; i < 2; ++i) g.add(send(g, {{Bytes(3e8), path}}), {});
  const Quotient q = fold_symmetry(g);
  CHECK(q.graph.size() == 2);
  const Timeline t = unfold(q, engine::run(q.graph));
  CHECK(t.at(0).end.value() == Approx(0.5));
  CHECK(t.at(3).end.value() == Approx(0.9));
}

TEST_CASE("limits of single flows are not added up") {
  OpGraph g;
  const LinkId limit = g.add_link({"limit", BytesPerSecond(1e9), false});
  for (int i = 0; i < 4; ++i) g.add(send(g, {{Bytes(1e9), g.add_path({limit})}}), {});
  const Quotient q = fold_symmetry(g);
  CHECK(engine::run(q.graph).makespan.value() == Approx(1));
}

TEST_CASE("random graphs of equal replicas take the same time folded") {
  std::mt19937 random(7);
  const auto draw = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  for (int trial = 0; trial < 10; ++trial) {
    OpGraph g;
    const LinkId spine = g.add_link({"spine", BytesPerSecond(3e9), true});
    const int replicas = 2 + draw(4);
    std::vector<std::array<LinkId, 2>> ports;
    for (int r = 0; r < replicas; ++r) {
      ports.push_back({g.add_link({"a", BytesPerSecond(1e9), true}),
                       g.add_link({"b", BytesPerSecond(2e9), true})});
    }
    std::vector<std::vector<OpId>> ids(ports.size());
    for (int i = 0; i < 30; ++i) {
      const double duration = 0.01 * (1 + draw(4));
      const int kind = draw(3);
      const auto port = static_cast<std::size_t>(draw(2));
      const bool far = draw(2) == 1;
      const int earlier = ids[0].empty() ? -1 : draw(static_cast<int>(ids[0].size()));
      for (std::size_t r = 0; r < ports.size(); ++r) {
        const OpId after = earlier < 0 ? no_op : ids[r][static_cast<std::size_t>(earlier)];
        std::vector<LinkId> path{ports[r][port]};
        if (far) path.push_back(spine);
        const Op op = kind == 0 ? span(duration, static_cast<std::int32_t>(r))
                                : send(g, {{Bytes(1e7 * kind), g.add_path(path)}}, duration / 10);
        ids[r].push_back(g.add(op, std::array{after}));
      }
    }
    CHECK(fold_symmetry(g).graph.size() <= 30);
    check_same_times(g);
  }
}
