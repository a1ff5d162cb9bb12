#include "sim/collective/nccl_log.h"

#include <sstream>

#include "tests/catch.h"

using namespace flotilla;
using namespace flotilla::collective;

namespace {

NcclLog read(const std::string& text) {
  std::istringstream in(text);
  return read_nccl_log(in);
}

}  // namespace

TEST_CASE("a log of today gives devices, sizes, both times and wrong values") {
  const NcclLog log = read(
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 2(factor)\n"
      "# Using devices\n"
      "#  Rank  0 Group  0 Pid 1731537 on      lm2 device  0 [0000:3b:00] NVIDIA RTX A6000\n"
      "#  Rank  1 Group  0 Pid 1731538 on      lm3 device  0 [0000:5e:00] NVIDIA RTX A6000\n"
      "#       size   count    type   redop  root   time   algbw   busbw #wrong  time algbw busbw "
      "#wrong\n"
      "     1048576  262144   float     sum    -1  27.37   38.31   67.04      0  26.93  38.9  68.1 "
      " 2\n"
      "# Avg bus bandwidth    : 67\n");
  CHECK(log.ranks == 2);
  CHECK(log.hosts == 2);
  CHECK(log.gpu == "NVIDIA RTX A6000");
  REQUIRE(log.rows.size() == 1);
  CHECK(log.rows[0].bytes == Bytes(1048576));
  CHECK(log.rows[0].time.value() == Approx(27.37e-6));
  CHECK(log.rows[0].in_place_time.value() == Approx(26.93e-6));
  CHECK(log.rows[0].busbw.value() == Approx(67.04e9));
}

TEST_CASE("old logs have no root column, an error for the wrong values, and N/A") {
  const NcclLog log = read(
      "   64   16   float     sum    55.57    0.00    0.00    N/A\n"
      "  128   32   float     sum    20.0  0.01 0.02  0e+00  19.0  0.01 0.02  0e+00\n");
  REQUIRE(log.rows.size() == 2);
  CHECK(log.rows[0].time.value() == Approx(55.57e-6));
  CHECK(log.rows[1].in_place_time.value() == Approx(19e-6));
}

TEST_CASE("prefixes of launchers are passed over") {
  for (const char* prefix : {"0: ", "[1,0]<stdout>:", "[0] ", "worker-0: "}) {
    CAPTURE(prefix);
    const NcclLog log =
        read(std::string(prefix) + " 1024 256 float sum -1 16.94 0.06 0.11 0 16.17 0.06 0.11 0\n");
    REQUIRE(log.rows.size() == 1);
    CHECK(log.rows[0].time.value() == Approx(16.94e-6));
  }
}

TEST_CASE("a log without a reduction has no operator") {
  const NcclLog log = read(
      "8388608 262144 float none -1 73.5 114.1 99.8 0 73.0 114.9 100.5 0\n"
      "4194304 131072 float 48.0 87.4 76.5 0e+00 47.0 89.2 78.1 0e+00\n");
  REQUIRE(log.rows.size() == 2);
  CHECK(log.rows[0].time.value() == Approx(48.0e-6));
  CHECK(log.rows[1].time.value() == Approx(73.5e-6));
}

TEST_CASE("what is no row is no row") {
  CHECK(read("").rows.empty());
  CHECK(
      read(
          "hello\n1 2 3 4 5 6 7 8\n# Rank\nnan inf float sum 1 2 3 4\n1024 256 float sum x y z w\n")
          .rows.empty());
}
