#include <unistd.h>

#include <filesystem>

#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla;
using namespace flotilla::test;

TEST_CASE("an override reaches into referenced files") {
  const auto scenario = load_file("two-cards-8-microbatches",
                                  {"platform.gpu.memory=40 GiB", "platform.node.link.latency=7us",
                                   "model.layers=20", "platform.library.p2p=\"3 us\""});
  CHECK(scenario.platform.gpu.memory.value() == Approx(40.0 * 1073741824));
  CHECK(scenario.platform.node.link.latency.value() == Approx(7e-6));
  CHECK(scenario.platform.library.p2p.value() == Approx(3e-6));
  CHECK(scenario.layout.stage_layers == std::vector<std::int64_t>{10, 10});
}

TEST_CASE("an override reaches into lists, and makes what is not there yet") {
  CHECK(load_text(legal_scenario(), {"platform.tiers.0.oversubscription=4"})
            .platform.tiers[0]
            .oversubscription == 4);
  const auto whole = load_text(
      R"({"model": "llama3.1-8b"})",
      {"platform=dgx-a100-superpod", "layout.gpus=8", "layout.tp=8", "training.global_batch=4"});
  CHECK(whole.layout.tp == 8);
}

TEST_CASE("the last of two overrides of one value holds") {
  CHECK(load_text(legal_scenario(), {"layout.tp=2", "layout.tp=1"}).layout.tp == 1);
}

TEST_CASE("an override with null takes a key out") {
  const auto scenario = load_file(
      "llama3-405b-8k-h100", {"layout.first_stage_layers=null", "layout.last_stage_layers=null",
                              "layout.pp=2", "layout.vpp=9"});
  CHECK(scenario.layout.stage_layers == std::vector<std::int64_t>(18, 7));
  CHECK_NOTHROW(load_text(legal_scenario(), {"layout.nothing=null"}));
}

TEST_CASE("a model can be exchanged for a shipped one or for a file") {
  CHECK(load_text(legal_scenario(), {"model=llama3.1-8b"}).model.name == "Llama-3.1 8B");
  const std::string file = std::string(FLOTILLA_SOURCE_DIR) + "/models/llama3.1-8b.json";
  CHECK(load_text(legal_scenario(), {"model=" + file}).model.layers == 32);
  CHECK(load_text(legal_scenario(), {"platform.node.link=nvlink4"}).platform.node.link.name ==
        "NVLink 4");
}

TEST_CASE("a path on the command line is relative to the current directory") {
  const Scratch scratch;
  (void)scratch.write("link.json",
                      R"({"kind": "nvlink", "bandwidth": "1 GB/s", "latency": "1 us"})");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.folder());
  const auto scenario = load_text(legal_scenario(), {"platform.node.link=./link.json"});
  std::filesystem::current_path(before);
  CHECK(scenario.platform.node.link.bandwidth.value() == Approx(1e9));
}

TEST_CASE("a path in a file is relative to that file") {
  const Scratch scratch;
  (void)scratch.write("parts/link.json",
                      R"({"kind": "nvlink", "bandwidth": "1 GB/s", "latency": "1 us"})");
  (void)scratch.write("parts/model.json", R"({"layers": 2, "hidden": 64, "heads": 2, "ffn": 256,
                                             "vocab": 100, "sequence_length": 16})");
  const std::string file = scratch.write("scenarios/mine.json", R"({
    "model": "../parts/model.json", "platform": "desktop-2x3090-pcie",
    "layout": {"gpus": 1}, "training": {"global_batch": 1}})");
  CHECK(load_file(file).model.layers == 2);
}

TEST_CASE("an unknown override path is an unknown key") {
  const std::string text = refusal(legal_scenario(), {"layout.tq=2"});
  CHECK_THAT(text, contains("error: --set layout.tq=2"));
  CHECK_THAT(text, contains("unknown key; did you mean \"tp\"?"));
  CHECK_THAT(refusal(legal_scenario(), {"layot.tp=2"}), contains("did you mean \"layout\"?"));
  CHECK_THAT(refusal(legal_scenario(), {"layout.tp.x=2"}), contains("there is no \"x\" in it"));
  CHECK_THAT(refusal(legal_scenario(), {"platform.tiers.7.nodes=2"}),
             contains("\"platform.tiers\" is a list of 1, counted from 0"));
}

TEST_CASE("an override that is no path=value is refused") {
  for (const std::string text : {"layout.tp", "layout.tp=", "=4", "layout..tp=4", ".tp=4", ""}) {
    CAPTURE(text);
    CHECK_THAT(refusal(legal_scenario(), {text}), contains("expected path=value"));
  }
  CHECK_THAT(refusal(legal_scenario(), {"layout.stage_layers=[1,"}),
             contains("this list is never closed"));
}

TEST_CASE("a problem with an override shows the override") {
  const std::string text = refusal(legal_scenario(), {"layout.tp=3"});
  CHECK_THAT(text, contains("error: --set layout.tp=3\n"
                            "                       ^ tp 3 divides neither heads 16 nor ffn 4096"));
  CHECK_THAT(refusal(legal_scenario(), {"platform.gpu.memory=40"}), contains("missing unit"));
}
