#include <filesystem>
#include <numeric>

#include "sim/config/library.h"
#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla;
using namespace flotilla::config;
using flotilla::test::load_file;
using flotilla::test::load_text;

namespace {

const std::string kRoot = FLOTILLA_SOURCE_DIR;

// Every object of the tree that stands in a file of its own says where its numbers come from.
void check_source(const std::string& file) {
  const JsonValue root = parse_json(read_source(file));
  CAPTURE(file);
  const JsonValue* source = root.find("source");
  REQUIRE(source != nullptr);
  CHECK((!source->text.empty() || !source->items.empty()));
}

}  // namespace

TEST_CASE("every shipped scenario loads by its bare name") {
  const auto names = shipped_names(kRoot, Kind::scenario);
  CHECK(names.size() >= 14);
  for (const std::string& name : names) {
    CAPTURE(name);
    const Scenario scenario = load_file(name);
    CHECK(!scenario.name.empty());
    const auto& stages = scenario.layout.stage_layers;
    CHECK(std::accumulate(stages.begin(), stages.end(), std::int64_t{0}) == scenario.model.layers);
    CHECK(scenario.layout.tp * scenario.layout.pp * scenario.layout.dp == scenario.layout.gpus);
    CHECK(scenario.microbatches() > 0);
    // A shipped scenario says everything: nothing is left to be assumed.
    CHECK(scenario.assumptions == std::vector<std::string>{});
  }
}

TEST_CASE("every shipped model loads on every shipped platform") {
  for (const std::string& model : shipped_names(kRoot, Kind::model)) {
    for (const std::string& platform : shipped_names(kRoot, Kind::platform)) {
      CAPTURE(model, platform);
      const Scenario scenario =
          load_text(R"({"layout": {"gpus": 1}, "training": {"global_batch": 1}})",
                    {"model=" + model, "platform=" + platform, "training.precision=fp16"});
      CHECK(scenario.model.layers > 0);
      CHECK(scenario.platform.gpus() >= 2);
    }
  }
}

TEST_CASE("every shipped GPU can be put into a platform") {
  const auto names = shipped_names(kRoot, Kind::gpu);
  CHECK(names.size() >= 3);
  for (const std::string& gpu : names) {
    CAPTURE(gpu);
    const Scenario scenario =
        load_file("one-card", {"platform.gpu=" + gpu, "training.precision=fp16"});
    CHECK(scenario.platform.gpu.memory > Bytes(1e9));
  }
}

TEST_CASE("every shipped link can be put into a platform") {
  for (const std::string& link : shipped_names(kRoot, Kind::link)) {
    CAPTURE(link);
    CHECK_NOTHROW(load_file("one-card", {"platform.node.link=" + link}));
  }
}

TEST_CASE("every shipped model, platform, GPU, link and library states its source") {
  for (const Kind kind : {Kind::model, Kind::platform, Kind::gpu, Kind::link, Kind::library}) {
    for (const std::string& name : shipped_names(kRoot, kind)) {
      check_source(kRoot + "/" + kind_folder(kind) + "/" + name + ".json");
    }
  }
}

TEST_CASE("the platforms have the sizes that their sources state") {
  CHECK(load_file("korthikanti/22b-full").platform.gpus() == 4480);
  const Platform llama = load_file("llama3-405b-16k-h100").platform;
  CHECK(llama.gpus() == 24'576);
  CHECK(llama.tiers[1].nodes * llama.node.gpus == 3072);
  CHECK(llama.node.nic.bandwidth.value() == Approx(50e9));
}

TEST_CASE("the list names each shipped file once, with a title") {
  CHECK(list_models(kRoot).size() == shipped_names(kRoot, Kind::model).size());
  CHECK(list_platforms(kRoot).size() == shipped_names(kRoot, Kind::platform).size());
  for (const Entry& entry : list_scenarios(kRoot)) {
    CAPTURE(entry.name);
    CHECK(entry.title.find("cannot be read") == std::string::npos);
    CHECK(entry.title.size() > 10);
  }
  CHECK(list_models("/nowhere").empty());
}
