#include "sim/report/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/words.h"

namespace flotilla::report {

namespace {

using Json = nlohmann::ordered_json;

// Whole numbers are written as such: 85899345920, not 85899345920.0.
Json number(double value) {
  if (std::nearbyint(value) == value && std::abs(value) < 9e15) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Json setup(const Summary& summary) {
  const config::Scenario& s = summary.scenario;
  Json layout = {{"gpus", s.layout.gpus},
                 {"tp", s.layout.tp},
                 {"pp", s.layout.pp},
                 {"vpp", s.layout.vpp},
                 {"cp", s.layout.cp},
                 {"dp", s.layout.dp},
                 {"zero", s.layout.zero},
                 {"schedule", name_of(s.layout.schedule)},
                 {"sequence_parallel", s.layout.sequence_parallel},
                 {"recompute", name_of(s.layout.recompute)},
                 {"stage_layers", s.layout.stage_layers}};
  Json training = {{"global_batch", s.training.global_batch},
                   {"micro_batch", s.training.micro_batch},
                   {"microbatches", s.microbatches()},
                   {"sequence_length", s.training.sequence_length},
                   {"precision", name_of(s.training.precision)},
                   {"gradient_precision", name_of(s.training.gradient_precision)},
                   {"attention", name_of(s.training.attention)},
                   {"attention_flops", name_of(s.training.attention_flops)}};
  if (s.training.total_tokens > 0) training["total_tokens"] = number(s.training.total_tokens);
  return {{"model", {{"name", s.model.name}, {"parameters", number(summary.parameters)}}},
          {"platform",
           {{"name", s.platform.name},
            {"gpu", s.platform.gpu.name},
            {"gpus", s.layout.gpus},
            {"servers", servers_used(s)}}},
          {"layout", std::move(layout)},
          {"training", std::move(training)}};
}

Json iteration(const Summary& s) {
  Json parts = Json::object();
  for (const Part& part : breakdown_parts()) parts[part.key] = (s.breakdown.*part.time).value();
  return {{"time_s", s.step.value()},
          {"tokens_per_s", s.tokens_per_s},
          {"tokens_per_s_per_gpu", s.tokens_per_s_per_gpu},
          {"tflops_per_gpu", s.flops_per_gpu.value() / 1e12},
          {"mfu", s.mfu},
          {"hfu", s.hfu},
          {"bubble_fraction", s.bubble_fraction},
          {"breakdown_s", std::move(parts)}};
}

Json collectives(const Summary& s) {
  Json lines = Json::array();
  for (const CollectiveLine& line : s.collectives) {
    lines.push_back({{"group", line.group},
                     {"op", line.op},
                     {"algorithm", line.algorithm},
                     {"where", line.where},
                     {"ranks", line.ranks},
                     {"bytes", number(line.bytes.value())},
                     {"time_s", line.time.value()},
                     {"algbw_Bps", line.algbw.value()},
                     {"busbw_Bps", line.busbw.value()},
                     {"count", line.count},
                     {"hidden", line.hidden}});
  }
  return lines;
}

Json memory(const Memory& m) {
  Json stages = Json::array();
  for (const StageMemory& stage : m.stages) {
    stages.push_back({{"stage", stage.stage},
                      {"layers", stage.layers},
                      {"parameters", number(stage.parameters)},
                      {"parameters_bytes", number(stage.parameters_bytes.value())},
                      {"gradients_bytes", number(stage.gradients_bytes.value())},
                      {"optimizer_bytes", number(stage.optimizer_bytes.value())},
                      {"activations_bytes", number(stage.activations_bytes.value())},
                      {"peak_bytes", number(stage.peak_bytes.value())}});
  }
  return {{"fits", m.fits},
          {"capacity_bytes", number(m.capacity.value())},
          {"peak_bytes", number(m.peak.value())},
          {"stages", std::move(stages)}};
}

}  // namespace

Json json_of(const Summary& s) {
  return {{"schema", 1},
          {"scenario", s.scenario.name},
          {"seed", s.seed},
          {"setup", setup(s)},
          {"assumptions", s.scenario.assumptions},
          {"iteration", iteration(s)},
          {"collectives", collectives(s)},
          {"memory", memory(s.memory)},
          {"engine",
           {{"fidelity", s.engine.fidelity},
            {"ranks_simulated", s.engine.ranks_simulated},
            {"operations", s.engine.operations},
            {"wall_s", s.engine.wall_s},
            {"peak_rss_bytes", number(s.engine.peak_rss_bytes)}}}};
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_json(const Summary& s) { return json_text(json_of(s)); }

}  // namespace flotilla::report
