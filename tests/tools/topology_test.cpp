// `flotilla topology` as a person meets it.
#include <nlohmann/json.hpp>

#include "sim/config/library.h"
#include "tests/catch.h"
#include "tests/report/samples.h"
#include "tests/support/run_program.h"

using namespace flotilla::test;
using nlohmann::json;

TEST_CASE("topology tells every shipped platform in at most 100 plain columns") {
  using flotilla::config::Kind;
  for (const auto& name : flotilla::config::shipped_names(FLOTILLA_SOURCE_DIR, Kind::platform)) {
    CAPTURE(name);
    const Outcome outcome = run_program({"topology", name, "--route", "0", "1"});
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK_THAT(outcome.out, contains("Bisection"));
    CHECK_THAT(outcome.out, contains("Route 0 to 1 "));
    for (const std::string& line : lines_of(outcome.out)) {
      CAPTURE(line);
      CHECK(line.size() <= 100);
    }
  }
}

TEST_CASE("topology as JSON carries the routes and the bisection") {
  const Outcome outcome = run_program(
      {"topology", "llama3-h100-roce", "--json", "--route", "0", "24575", "--route", "0", "0"});
  REQUIRE(outcome.code == 0);
  const json document = json::parse(outcome.out);
  CHECK(document["gpus"] == 24'576);
  CHECK(document["network"]["kind"] == "clos");
  CHECK(document["bisection"]["oversubscription"].get<double>() == Approx(7));
  REQUIRE(document["routes"].size() == 2);
  // NIC, rack, pod and cluster up, and down again.
  CHECK(document["routes"][0]["hops"].size() == 6);
  CHECK(document["routes"][0]["hops"][0]["from"] == "node 0 nic 0");
  CHECK(document["routes"][1]["bandwidth_Bps"].is_null());
}

TEST_CASE("topology draws a graph, and leaves out the inside of nodes when it is large") {
  const Outcome small = run_program({"topology", "dgx-1-v100", "--dot"});
  CHECK(small.code == 0);
  CHECK(small.out.starts_with("graph \"DGX-1 with V100\" {\n"));
  CHECK_THAT(small.out, contains("\"gpu 0 links\" -- \"gpu 3 links\" [label=\"40.0 GB/s\"];"));
  const Outcome large = run_program({"topology", "dgx-h100-superpod", "--dot"});
  CHECK(large.out.find("\"gpu 0\"") == std::string::npos);
  CHECK_THAT(large.out, contains("\"node 0 nic 0\" -- \"scalable unit 0\""));
}

TEST_CASE("topology takes overrides, and refuses what there is not") {
  const Outcome narrow = run_program(
      {"topology", "dgx-h100-superpod", "--set", "platform.tiers.1.oversubscription=4", "--json"});
  CHECK(json::parse(narrow.out)["bisection"]["oversubscription"].get<double>() == Approx(4));
  const Outcome far = run_program({"topology", "dgx-1-v100", "--route", "0", "128"});
  CHECK(far.code == 2);
  CHECK(far.out.empty());
  CHECK_THAT(far.err, contains("the platform has GPUs 0 to 127"));
  const Outcome unknown = run_program({"topology", "dgx-1-v10"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, contains("did you mean \"dgx-1-v100\"?"));
}
