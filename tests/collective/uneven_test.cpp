#include "sim/collective/uneven.h"

#include <stdexcept>

#include "tests/catch.h"

using namespace flotilla;
using namespace flotilla::collective;
using namespace flotilla::literals;

namespace {

config::CollectiveLibrary plain_library() {
  config::CollectiveLibrary library;
  library.protocols = {{.name = "simple", .base = {}, .hop = {}, .bandwidth_fraction = {}}};
  library.p2p = 10_us;
  return library;
}

using Matrix = std::vector<std::vector<Bytes>>;

const Placement kTwoNodesOfTwo{
    .ranks = 4, .nodes = 2, .ranks_per_node = 2, .node_rate = 100_GBps, .network_rate = 10_GBps};

}  // namespace

TEST_CASE("equal amounts take what an even all-to-all takes") {
  const Matrix even(4, std::vector<Bytes>(4, Bytes(1e6)));
  const Plan uneven = plan_uneven_all_to_all(even, kTwoNodesOfTwo, plain_library());
  const Plan plain = plan(Op::all_to_all, Bytes(4e6), kTwoNodesOfTwo, plain_library());
  CHECK(uneven.time.value() == Approx(plain.time.value()));
  CHECK(uneven.network_bytes == plain.network_bytes);
}

TEST_CASE("a popular expert makes everybody wait for its port") {
  // Every rank sends 9 MB to rank 0 and 1 MB to each of the others: rank 0 receives 18 MB by its
  // NIC from the other node, 9 MB from its neighbour.
  Matrix skewed(4, std::vector<Bytes>(4, Bytes(1e6)));
  for (auto& row : skewed) row[0] = Bytes(9e6);
  const Plan made = plan_uneven_all_to_all(skewed, kTwoNodesOfTwo, plain_library());
  CHECK(made.network_bytes == Bytes(18e6));
  CHECK(made.node_bytes == Bytes(9e6));
  CHECK(made.time.value() == Approx(10e-6 + 18e6 / 10e9));
}

TEST_CASE("an all-to-all without a size for every pair is refused") {
  CHECK_THROWS_AS(plan_uneven_all_to_all(Matrix(3), kTwoNodesOfTwo, plain_library()),
                  std::invalid_argument);
}
