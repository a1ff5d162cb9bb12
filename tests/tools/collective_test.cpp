// `flotilla collective` and `flotilla validate` as a person meets them.
#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/config/scratch.h"
#include "tests/support/run_program.h"

using namespace flotilla::test;
using nlohmann::json;

namespace {

// Two nodes of four cards, 100 GB/s inside, 10 GB/s a NIC, one protocol: closed forms by hand.
const char* const kPlain = R"({
  "nodes": 2, "gpu": "h100-sxm-80gb",
  "node": { "gpus": 4, "fabric": "nvswitch", "nics": 4,
            "link": { "kind": "nvlink", "bandwidth": "100 GB/s", "latency": "0 us" },
            "nic": { "kind": "network", "bandwidth": "10 GB/s", "latency": "0 us" } },
  "tiers": [ { "nodes": 2, "latency": "0 us" } ],
  "library": { "p2p": "0 us", "protocols": [ { "name": "simple", "base": "0 us",
     "hop": { "nvlink": "2 us", "pcie": "0 us", "network": "9 us" },
     "bandwidth_fraction": { "nvlink": 1, "pcie": 1, "network": 1 } } ] } })";

json row_of(const std::vector<std::string>& arguments, const Scratch& scratch) {
  std::vector<std::string> all = {"collective", scratch.write("p.json", kPlain), "--json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Outcome outcome = run_program(all);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return json::parse(outcome.out).at("rows").at(0);
}

}  // namespace

TEST_CASE("collective prints the closed form of a ring on a platform of one's own") {
  const Scratch scratch;
  // Four NICs of 10 GB/s: 2 (7/8) S / 40 GB/s + 12 x 2 us + 2 x 9 us.
  const json row = row_of({"--op", "all_reduce", "--algorithm", "ring", "--sizes", "1GB"}, scratch);
  CHECK(row.at("algorithm") == "ring");
  CHECK(row.at("ranks") == 8);
  CHECK(row.at("time_s").get<double>() == Approx(1.75e9 / 40e9 + 24e-6 + 18e-6));
  CHECK(row.at("busbw_Bps").get<double>() == Approx(row.at("algbw_Bps").get<double>() * 2 * 7 / 8));
}

TEST_CASE("collective: one GPU a node uses one NIC") {
  const Scratch scratch;
  const json row = row_of({"--ranks", "2", "--per-node", "1", "--sizes", "1GB"}, scratch);
  CHECK(row.at("time_s").get<double>() == Approx(1e9 / 10e9 + 18e-6));
}

TEST_CASE("collective sets a log beside the prediction and says whether the fabric is healthy") {
  const Scratch scratch;
  const std::string platform = scratch.write("p.json", kPlain);
  const std::string log = scratch.write(
      "log.txt", "1073741824 268435456 float sum -1 53000 20.2 35.4 0 53000 20.2 35.4 0\n");
  const Outcome outcome = run_program({"collective", platform, "--compare", log});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, contains("Slower than it should be"));
  CHECK_THAT(outcome.out, contains("1073741824"));
}

TEST_CASE("collective refuses what makes no sense, and says what would") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--op", "all_redcue"}, "all_reduce"},
      {{"--algorithm", "rnig"}, "did you mean \"ring\""},
      {{"--ranks", "100000"}, "4,096 GPUs"},
      {{"--ranks", "12"}, "8, 16"},
      {{"--sizes", "8GB..1KB"}, "ends before it begins"},
      {{"--sizes", "12"}, "not a size"},
      {{"--ranks", "8", "--algorithm", "hierarchical"}, "that can: ring, tree, nvls"},
      {{"--compare", "/nowhere.log"}, "cannot be read"}};
  for (const auto& [arguments, message] : cases) {
    CAPTURE(message);
    std::vector<std::string> all = {"collective", "dgx-h100-superpod"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run_program(all);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, contains(message));
  }
  CHECK(run_program({"collective", "dgx-h100-superpd"}).code == 2);
  CHECK(run_program({"validate", "--set", "steps"}).code == 2);
}

TEST_CASE("an algorithm named by the scenario is what runs") {
  const Outcome outcome = run_program({"run", "llama3-405b-8k-h100", "--json", "--set",
                                       "platform.library.algorithms.all_reduce=tree"});
  REQUIRE(outcome.code == 0);
  bool tree = false;
  const json document = json::parse(outcome.out);
  for (const json& entry : document.at("collectives")) {
    tree = tree || (entry.at("op") == "all_reduce" && entry.at("algorithm") == "tree");
  }
  CHECK(tree);
  const Outcome wrong = run_program(
      {"run", "llama3-405b-8k-h100", "--set", "platform.library.algorithms.all_reduce=tre"});
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, contains("tree"));
}
