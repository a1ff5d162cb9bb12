#include "sim/graph/op_graph.h"

#include <array>

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

}  // namespace

TEST_CASE("the critical path is the longest chain of dependencies") {
  // a(1) -> b(2) -> d(1); a -> c(5) -> d: 1 + 5 + 1.
  OpGraph g;
  const OpId a = g.add(span(1), {});
  const OpId b = g.add(span(2), std::array{a});
  const OpId c = g.add(span(5), std::array{a});
  g.add(span(1), std::array{b, c});
  CHECK(critical_path(g).value() == Approx(7));
}

TEST_CASE("a transfer takes its latency and its slowest flow") {
  OpGraph g;
  const LinkId fast = g.add_link({"fast", BytesPerSecond(100), true});
  const LinkId slow = g.add_link({"slow", BytesPerSecond(10), true});
  const std::array flows{Flow{Bytes(100), g.add_path({fast})},
                         Flow{Bytes(30), g.add_path({fast, slow})}};
  Op op = span(0.5);
  op.first_flow = g.add_flows(flows);
  op.flow_count = 2;
  const OpId id = g.add(op, {});
  // 0.5 + max(100/100, 30/10).
  CHECK(uncontended_duration(g, g.op(id)).value() == Approx(3.5));
}

TEST_CASE("operations that wait for one another are found and named") {
  OpGraph g;
  const OpId a = g.add(span(1, 3), {});
  const OpId b = g.add(span(1, 4), std::array{a});
  g.add_dependency(b, a);
  CHECK_THROWS_WITH(topological_order(g),
                    test::contains("wait for one another") && test::contains("rank 3"));
}

TEST_CASE("ready operations come in the order of their ids") {
  OpGraph g;
  for (int i = 0; i < 4; ++i) g.add(span(1), {});
  g.add_dependency(3, 0);
  CHECK(topological_order(g) == std::vector<OpId>{1, 2, 3, 0});
}

TEST_CASE("a dependency on an operation that does not exist is refused") {
  OpGraph g;
  g.add(span(1), {});
  CHECK_THROWS_AS(g.add_dependency(0, 1), std::logic_error);
}
