#include "sim/engine/engine.h"

#include <array>
#include <csignal>

#include "sim/engine/child.h"
#include "tests/catch.h"

using namespace flotilla;
using namespace flotilla::graph;

namespace {

Op span(double seconds, std::int32_t rank = 0) {
  Op op;
  op.rank = rank;
  op.duration = Seconds(seconds);
  return op;
}

Op transfer(OpGraph& g, double bytes, std::uint32_t path, double latency = 0) {
  const std::array flows{Flow{Bytes(bytes), path}};
  Op op = span(latency);
  op.stream = Stream::pipeline;
  op.first_flow = g.add_flows(flows);
  op.flow_count = 1;
  return op;
}

}  // namespace

TEST_CASE("a chain of blocks takes the sum of their durations") {
  OpGraph g;
  OpId last = no_op;
  for (double t : {1.0, 0.25, 1e-6}) last = g.add(span(t), std::array{last});
  CHECK(engine::run(g).makespan.value() == Approx(1.250001).epsilon(1e-9));
}

TEST_CASE("blocks of one rank that nothing orders run side by side at full speed") {
  OpGraph g;
  for (int i = 0; i < 5; ++i) g.add(span(1), {});
  CHECK(engine::run(g).makespan.value() == Approx(1));
}

TEST_CASE("two equal flows on a link take twice as long as one") {
  OpGraph g;
  const auto path = g.add_path({g.add_link({"link", BytesPerSecond(1e9), true})});
  const OpId a = g.add(transfer(g, 1e9, path), {});
  const OpId b = g.add(transfer(g, 1e9, path), {});
  const Timeline t = engine::run(g);
  CHECK(t.at(a).end.value() == Approx(2));
  CHECK(t.at(b).end.value() == Approx(2));
}

TEST_CASE("a flow that ends leaves its bandwidth to the others") {
  // 1 GB and 3 GB on 1 GB/s: both at 0.5 GB/s until 2 s, then 2 GB are left for 1 GB/s: 4 s.
  OpGraph g;
  const auto path = g.add_path({g.add_link({"link", BytesPerSecond(1e9), true})});
  const OpId small = g.add(transfer(g, 1e9, path), {});
  const OpId large = g.add(transfer(g, 3e9, path), {});
  const Timeline t = engine::run(g);
  CHECK(t.at(small).end.value() == Approx(2));
  CHECK(t.at(large).end.value() == Approx(4));
}

TEST_CASE("latency delays the start of a flow and does not weigh on its share") {
  // SimGrid's own latencies would share the link 4:1; ours end together but for the delay.
  OpGraph g;
  const auto path = g.add_path({g.add_link({"link", BytesPerSecond(1e9), true})});
  const OpId a = g.add(transfer(g, 1e8, path, 5e-6), {});
  const OpId b = g.add(transfer(g, 1e8, path, 20e-6), {});
  const Timeline t = engine::run(g);
  CHECK(t.at(a).end.value() == Approx(0.2).epsilon(1e-4));
  CHECK(t.at(b).end.value() == Approx(0.2).epsilon(1e-4));
}

TEST_CASE("a limit caps every flow by itself") {
  OpGraph g;
  const LinkId port = g.add_link({"port", BytesPerSecond(10e9), true});
  const LinkId limit = g.add_link({"limit", BytesPerSecond(1e9), false});
  const auto path = g.add_path({port, limit});
  for (int i = 0; i < 3; ++i) g.add(transfer(g, 1e9, path), {});
  CHECK(engine::run(g).makespan.value() == Approx(1));
}

TEST_CASE("the two directions of a port are independent") {
  OpGraph g;
  const LinkId out = g.add_link({"out", BytesPerSecond(1e9), true});
  const LinkId in = g.add_link({"in", BytesPerSecond(1e9), true});
  g.add(transfer(g, 1e9, g.add_path({out})), {});
  g.add(transfer(g, 1e9, g.add_path({in})), {});
  CHECK(engine::run(g).makespan.value() == Approx(1));
}

TEST_CASE("a communication ends with its last flow") {
  OpGraph g;
  const auto fast = g.add_path({g.add_link({"fast", BytesPerSecond(10e9), true})});
  const auto slow = g.add_path({g.add_link({"slow", BytesPerSecond(1e9), true})});
  const std::array flows{Flow{Bytes(1e9), fast}, Flow{Bytes(1e9), slow}};
  Op op;
  op.stream = Stream::data;
  op.first_flow = g.add_flows(flows);
  op.flow_count = 2;
  const OpId both = g.add(op, {});
  const OpId next = g.add(span(1), std::array{both});
  const Timeline t = engine::run(g);
  CHECK(t.at(both).end.value() == Approx(1));
  CHECK(t.at(next).end.value() == Approx(2));
}

TEST_CASE("without contention the engine agrees with the critical path") {
  OpGraph g;
  const auto path = g.add_path({g.add_link({"link", BytesPerSecond(1e9), true})});
  OpId last = no_op;
  for (int i = 1; i <= 20; ++i) {
    last = g.add(span(0.01 * i, i % 3), std::array{last});
    last = g.add(transfer(g, 1e6 * i, path, 1e-5), std::array{last});
  }
  CHECK(engine::run(g).makespan.value() == Approx(critical_path(g).value()).epsilon(1e-9));
}

TEST_CASE("the same graph gives the same times, to the last bit") {
  OpGraph g;
  const auto path = g.add_path({g.add_link({"link", BytesPerSecond(1e9), true})});
  for (int i = 0; i < 50; ++i) {
    const OpId block = g.add(span(0.001 * (i % 7 + 1), i % 5), {});
    g.add(transfer(g, 1e6 * (i % 11 + 1), path), std::array{block});
  }
  const Timeline a = engine::run(g);
  const Timeline b = engine::run(g);
  for (std::size_t i = 0; i < g.size(); ++i) {
    CHECK(a.spans[i].start == b.spans[i].start);
    CHECK(a.spans[i].end == b.spans[i].end);
  }
}

TEST_CASE("a graph that deadlocks is refused before it runs") {
  OpGraph g;
  const OpId a = g.add(span(1), {});
  const OpId b = g.add(span(1), std::array{a});
  g.add_dependency(b, a);
  CHECK_THROWS_AS(engine::run(g), std::logic_error);
}

TEST_CASE("an empty graph and operations without length end at once") {
  CHECK(engine::run(OpGraph{}).makespan == Seconds(0));
  OpGraph g;
  const OpId a = g.add(span(0), {});
  g.add(span(0), std::array{a});
  CHECK(engine::run(g).makespan == Seconds(0));
}

TEST_CASE("what goes wrong in the child comes back as an exception") {
  CHECK_THROWS_WITH(
      engine::in_child([]() -> std::vector<std::byte> { throw std::runtime_error("no luck"); }),
      "no luck");
  CHECK_THROWS_WITH(engine::in_child([]() -> std::vector<std::byte> {
                      std::raise(SIGKILL);
                      return {};
                    }),
                    test::contains("Killed"));
}
