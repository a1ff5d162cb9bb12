#include "sim/report/json.h"

#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/report/samples.h"

namespace flotilla::report {
namespace {

using nlohmann::json;

TEST_CASE("the JSON of a run has every key of the contract") {
  const std::string text = to_json(test::large_run());
  CHECK(text.back() == '\n');
  const json document = json::parse(text);
  for (const char* key :
       {"schema", "scenario", "seed", "iteration", "collectives", "memory", "engine"}) {
    CAPTURE(key);
    CHECK(document.contains(key));
  }
  CHECK(document["schema"] == 1);
  for (const char* key : {"time_s", "tokens_per_s", "tokens_per_s_per_gpu", "tflops_per_gpu", "mfu",
                          "hfu", "bubble_fraction", "breakdown_s"}) {
    CAPTURE(key);
    CHECK(document["iteration"].contains(key));
  }
  for (const char* key : {"compute", "recompute", "tp_exposed", "cp_exposed", "ep_exposed",
                          "pp_exposed", "dp_exposed", "bubble", "optimizer"}) {
    CAPTURE(key);
    CHECK(document["iteration"]["breakdown_s"].contains(key));
  }
  for (const char* key : {"group", "op", "algorithm", "ranks", "bytes", "time_s", "algbw_Bps",
                          "busbw_Bps", "count"}) {
    CAPTURE(key);
    CHECK(document["collectives"][0].contains(key));
  }
  for (const char* key : {"fits", "capacity_bytes", "peak_bytes", "stages"}) {
    CAPTURE(key);
    CHECK(document["memory"].contains(key));
  }
  for (const char* key : {"stage", "parameters_bytes", "gradients_bytes", "optimizer_bytes",
                          "activations_bytes", "peak_bytes"}) {
    CAPTURE(key);
    CHECK(document["memory"]["stages"][0].contains(key));
  }
  for (const char* key :
       {"fidelity", "ranks_simulated", "operations", "wall_s", "peak_rss_bytes"}) {
    CAPTURE(key);
    CHECK(document["engine"].contains(key));
  }
}

TEST_CASE("numbers read back to the same double") {
  Summary summary = test::large_run();
  summary.step = Seconds(0.1 + 0.2);
  summary.memory.peak = Bytes(85899345920.0);
  const json document = json::parse(to_json(summary));
  CHECK(document["iteration"]["time_s"].get<double>() == 0.1 + 0.2);
  CHECK(document["memory"]["peak_bytes"].is_number_integer());
  CHECK(document["memory"]["peak_bytes"].get<std::int64_t>() == 85899345920);
}

TEST_CASE("the breakdown adds up to the step") {
  const json document = json::parse(to_json(test::large_run()));
  double sum = 0;
  for (const auto& part : document["iteration"]["breakdown_s"]) sum += part.get<double>();
  CHECK(sum == Approx(document["iteration"]["time_s"].get<double>()).epsilon(1e-12));
}

TEST_CASE("a name that is not UTF-8 still gives valid JSON") {
  Summary summary = test::one_card();
  summary.scenario.name = "caf\xe9 \"quoted\"";
  CHECK(json::parse(to_json(summary))["scenario"].get<std::string>().find("\"quoted\"") !=
        std::string::npos);
}

}  // namespace
}  // namespace flotilla::report
