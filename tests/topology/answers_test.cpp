// The topology reaches the step: machines that differ in nothing else give different answers, in
// the order that their links say.
#include "sim/step/simulate.h"
#include "tests/catch.h"
#include "tests/support/models.h"
#include "tests/topology/machines.h"

using namespace flotilla;
using namespace flotilla::test;

namespace {

// `gpus` replicas that reduce their gradients after the last backward pass.
config::Scenario replicas(std::int64_t gpus, const config::Platform& platform) {
  config::Scenario s = small_scenario();
  s.platform = platform;
  s.layout.gpus = gpus;
  s.layout.overlap_gradients = false;
  s.training.global_batch = gpus;
  return finish(s);
}

config::Scenario tensor_group(std::int64_t tp, const config::Platform& platform) {
  config::Scenario s = small_scenario();
  s.platform = platform;
  s.layout.gpus = s.layout.tp = tp;
  return finish(s);
}

double step_of(const config::Scenario& scenario) {
  return step::simulate(scenario).summary.step.value();
}

config::Platform switched_machine() {
  config::Platform p = ideal_platform(8, 1);
  p.node.link.bandwidth = BytesPerSecond(80e9);
  return p;
}

config::Scenario with_degraded(config::Scenario s, const config::Degraded& degraded) {
  s.degraded = {degraded};
  return s;
}

}  // namespace

TEST_CASE("a ring over pods slows down when they are oversubscribed beyond their size") {
  // Four NICs in a pod, one ring: an uplink of 4 x 10 GB/s / k limits it from k = 4 on.
  const auto at = [](double k) { return step_of(replicas(16, clos_machine(1, 16, 4, k))); };
  CHECK(at(4) == Approx(at(1)));
  CHECK(at(8) > at(4) * 1.2);
  CHECK(at(16) > at(8) * 1.2);
}

TEST_CASE("tensor parallelism over bridged cards pays for PCIe beyond a pair") {
  CHECK(step_of(tensor_group(2, bridged_machine())) ==
        Approx(step_of(tensor_group(2, switched_machine()))));
  const double switched = step_of(tensor_group(4, switched_machine()));
  CHECK(step_of(tensor_group(4, bridged_machine())) > 2 * switched);
  CHECK(step_of(tensor_group(8, bridged_machine())) > step_of(tensor_group(4, bridged_machine())));
}

TEST_CASE("the hybrid cube lies between a switch and bridged pairs") {
  config::Platform fast = switched_machine();
  fast.node.link.bandwidth = BytesPerSecond(150e9);
  // All eight use every link, so a ring is as fast as on a switch; four of them use 4 links of 6.
  CHECK(step_of(tensor_group(8, hybrid_cube_machine())) == Approx(step_of(tensor_group(8, fast))));
  CHECK(step_of(tensor_group(4, hybrid_cube_machine())) > step_of(tensor_group(4, fast)));
  CHECK(step_of(tensor_group(4, hybrid_cube_machine())) <
        step_of(tensor_group(4, bridged_machine())));
}

TEST_CASE("neighbours on a torus are nearer than ranks placed across it") {
  // Each of the two steps of an all-reduce waits for 1 cable of 1 us or for 8 of them.
  config::Scenario packed = replicas(2, torus_machine({16}));
  config::Scenario spread = packed;
  spread.layout.placement = {0, 8};
  CHECK(step_of(spread) - step_of(packed) > 2 * 7e-6 * 0.99);
}

TEST_CASE("a job spread over oversubscribed pods is slower than a packed one") {
  // The uplink of a pod has 4 x 10 GB/s / 8, half of a NIC.
  config::Scenario packed = replicas(4, clos_machine(1, 8, 4, 8));
  config::Scenario spread = packed;
  spread.layout.placement = {0, 4, 1, 5};
  CHECK(step_of(spread) > 1.8 * step_of(packed));
}

TEST_CASE("one link at half bandwidth holds up the ring that crosses it") {
  const config::Scenario well = replicas(8, clos_machine(1, 8, 8));
  config::Degraded weak;
  weak.link = "node 5 nic 0";
  weak.bandwidth = 0.5;
  CHECK(step_of(with_degraded(well, weak)) > 1.3 * step_of(well));
  config::Degraded elsewhere = weak;
  elsewhere.link = "node 7 nic 0";
  CHECK(step_of(with_degraded(replicas(4, clos_machine(1, 8, 8)), elsewhere)) ==
        Approx(step_of(replicas(4, clos_machine(1, 8, 8)))));
}

TEST_CASE("a dead NIC doubles the load of its neighbour") {
  const config::Scenario well = replicas(8, clos_machine(2, 4, 4));
  config::Degraded dead;
  dead.element = config::Degraded::Element::nic;
  dead.node = 0;
  CHECK(step_of(with_degraded(well, dead)) > 1.3 * step_of(well));
}

TEST_CASE("rails and pods are alike to rings that keep to their rail") {
  CHECK(step_of(replicas(32, rail_machine(4, 8, 4))) ==
        Approx(step_of(replicas(32, clos_machine(4, 8, 4)))));
}

TEST_CASE("every kind of machine runs a step") {
  for (const auto& [name, platform] : every_kind_of_machine()) {
    CAPTURE(name);
    CHECK(step_of(replicas(4, platform)) > 0);
    CHECK(step_of(tensor_group(4, platform)) > 0);
  }
}

TEST_CASE("folded and full fidelity agree on nodes of every kind") {
  for (const auto& [name, platform] : every_kind_of_machine()) {
    // Hashed paths differ from GPU to GPU, so one representative cannot stand for all.
    if (platform.network.balance == config::Balance::hash) continue;
    if (platform.nodes > 1) continue;
    for (const std::int64_t tp : {2, 4, 8}) {
      CAPTURE(name, tp);
      const config::Scenario s = tensor_group(tp, platform);
      const double full = step::simulate(s, step::Fidelity::full).summary.step.value();
      CHECK(step_of(s) == Approx(full).epsilon(0.01));
    }
  }
}
