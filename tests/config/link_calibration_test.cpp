// The constants of platforms/links and platforms/libraries/nccl.json against the measurements that
// they were fitted to: nccl-tests on one node of 8 GPUs (ai-dynamo/aiconfigurator tables).
#include <algorithm>
#include <cmath>

#include "sim/collective/ring.h"
#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla;
using collective::Op;

namespace {

struct Sweep {
  Op op;
  std::vector<double> microseconds;  // for 1, 2, 4, ... 512 MiB
};

const std::vector<Sweep> kA100 = {
    {Op::all_reduce, {38.85, 53.7, 77.31, 128.0, 216.5, 367.0, 595.3, 1169.1, 2182.5, 4225.9}},
    {Op::all_gather, {26.79, 33.45, 47.95, 73.51, 135.0, 217.6, 351.6, 660.3, 1216.8, 2288.0}},
    {Op::reduce_scatter, {23.43, 34.21, 52.03, 79.49, 123.4, 210.0, 327.2, 624.0, 1149.5, 2207.1}}};

// Without all-reduce, which NCCL runs in the switch (NVLS) on this machine.
const std::vector<Sweep> kH100 = {
    {Op::all_gather, {17.11, 22.19, 33.42, 44.86, 68.86, 125.47, 208.13, 392.77, 728.77, 1401.46}},
    {Op::reduce_scatter,
     {14.64, 17.91, 29.88, 43.83, 69.67, 111.3, 200.78, 382.19, 721.74, 1399.38}}};

std::vector<double> relative_errors(const std::vector<Sweep>& sweeps,
                                    const config::Platform& platform) {
  const config::Link& link = platform.node.link;
  collective::Placement placement{.ranks = 8, .nodes = 1, .ranks_per_node = 8};
  placement.node_kind = link.kind;
  placement.node_rate = link.bandwidth * link.efficiency;
  placement.node_hop = link.latency;
  std::vector<double> errors;
  for (const Sweep& sweep : sweeps) {
    double bytes = 1 << 20;
    for (const double measured : sweep.microseconds) {
      const Seconds time = plan_ring(sweep.op, Bytes(bytes), placement, platform.library).time;
      errors.push_back(std::abs(time.value() * 1e6 / measured - 1));
      bytes *= 2;
    }
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

}  // namespace

TEST_CASE("rings over NVLink meet the measured times within 10 % in the median, 25 % at most") {
  const auto a100 = relative_errors(kA100, test::load_file("korthikanti/22b-full").platform);
  CHECK(a100[a100.size() / 2] < 0.10);
  CHECK(a100.back() < 0.25);
  const auto h100 = relative_errors(kH100, test::load_file("llama3-405b-8k-h100").platform);
  CHECK(h100[h100.size() / 2] < 0.10);
  CHECK(h100.back() < 0.25);
}
