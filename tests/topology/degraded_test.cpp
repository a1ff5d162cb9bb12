// Broken elements and placed jobs.
#include "sim/config/problem.h"
#include "sim/topology/fabric.h"
#include "sim/topology/share.h"
#include "tests/catch.h"
#include "tests/support/models.h"
#include "tests/topology/machines.h"

using namespace flotilla;
using namespace flotilla::topology;
using namespace flotilla::test;
using config::Degraded;

namespace {

// Two pods of two nodes of two GPUs.
config::Scenario scenario_with(const std::vector<Degraded>& degraded) {
  config::Scenario s = small_scenario();
  s.platform = clos_machine(2, 4, 2);
  s.degraded = degraded;
  return s;
}

Degraded weak(const std::string& link) {
  Degraded d;
  d.link = link;
  d.bandwidth = 0.5;
  return d;
}

Degraded dead(std::int64_t node, std::int64_t nic) {
  Degraded d;
  d.element = Degraded::Element::nic;
  d.node = node;
  d.nic = nic;
  return d;
}

std::string refusal_of(const std::vector<Degraded>& degraded) {
  try {
    const Fabric fabric(scenario_with(degraded));
  } catch (const config::InvalidInput& invalid) {
    return invalid.problems().front().message + ". " + invalid.problems().front().hint;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a degraded link loses its bandwidth in both directions, and no other link does") {
  const Fabric fabric(scenario_with({weak("node 0 nic 1 - pod 0")}));
  CHECK(fabric.edge(fabric.network_port_out(1)).capacity.value() == Approx(5e9));
  CHECK(fabric.edge(fabric.network_port_in(1)).capacity.value() == Approx(5e9));
  CHECK(fabric.edge(fabric.network_port_out(0)).capacity.value() == Approx(10e9));
}

TEST_CASE("the name of one element means all of its links") {
  const Fabric fabric(scenario_with({weak("gpu 3")}));
  CHECK(fabric.edge(fabric.node_port_out(3)).capacity.value() == Approx(50e9));
  CHECK(fabric.edge(fabric.node_port_out(2)).capacity.value() == Approx(100e9));
}

TEST_CASE("a link that there is not is refused, with a near name or the neighbours") {
  CHECK_THAT(refusal_of({weak("pod 7 - core 0")}), contains("no \"pod 7\""));
  CHECK_THAT(refusal_of({weak("node 0 nc 1")}), contains("did you mean \"node 0 nic 1\"?"));
  CHECK_THAT(refusal_of({weak("node 0 nic 1 - pod 1")}), contains("joined to \"pod 0\""));
}

TEST_CASE("the GPUs of a dead NIC share the next one of their node") {
  const Fabric fabric(scenario_with({dead(1, 0)}));
  CHECK(fabric.nic_of(2) == fabric.nic_of(3));
  CHECK(fabric.nic_sharers(3) == 2);
  CHECK(fabric.nic_sharers(0) == 1);
  Load load(fabric);
  load.add({2, 4});
  load.add({3, 5});
  CHECK(load.share({2, 4}).value() == Approx(10e9 / 2));
}

TEST_CASE("a GPU with two NICs keeps half of its bandwidth when one is dead") {
  config::Scenario s = scenario_with({dead(0, 1)});
  s.platform.node.nics = 4;
  const Fabric fabric(s);
  CHECK(fabric.edge(fabric.network_port_out(0)).capacity.value() == Approx(10e9));
  CHECK(fabric.edge(fabric.network_port_out(1)).capacity.value() == Approx(20e9));
}

TEST_CASE("a node that loses all of its NICs is cut off, which is refused") {
  CHECK_THAT(refusal_of({dead(1, 0), dead(1, 1)}), contains("last NIC of node 1"));
}

TEST_CASE("rank r of a placed job is the GPU that the list gives it") {
  config::Scenario s = scenario_with({});
  s.layout.placement = {0, 4, 1, 5};
  const Fabric placed(s);
  const Fabric packed(s.platform);
  CHECK(placed.node_of(1) == 2);
  CHECK(placed.route(0, 1) == packed.route(0, 4));
  CHECK(placed.route(0, 2) == packed.route(0, 1));
  CHECK(placed.network_port_out(3) == packed.network_port_out(5));
}
