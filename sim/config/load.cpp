#include "sim/config/load.h"

#include <filesystem>

#include "sim/config/check.h"
#include "sim/config/read.h"
#include "sim/config/resolve.h"

namespace flotilla::config {

namespace {

// The name of a thing that has none of its own: that of its file.
std::string name_of_file(const JsonValue& value, const std::string& otherwise) {
  const SourcePtr& source = value.place.source;
  if (!source || source->from_command_line() || source->name == "-") return otherwise;
  return std::filesystem::path(source->name).stem().string();
}

void read_scenario(const JsonValue& tree, Scenario& scenario, SplitRequest& split,
                   ProblemList& problems) {
  Reader in(tree, "", problems);
  in.require({"model", "platform", "layout", "training"});
  in.text("name", scenario.name);
  in.source(scenario.source);
  auto model = in.object("model");
  auto layout = in.object("layout");
  auto training = in.object("training");
  if (model) read_model(*model, scenario.model);
  if (const auto platform = in.object("platform")) read_platform(*platform, scenario.platform);
  if (layout) read_layout(*layout, scenario.layout, split);
  read_degraded(in, scenario.degraded);
  if (training) read_training(*training, scenario.training);
  in.refuse("reliability", "failures and checkpoints are not simulated by this version",
            "leave \"reliability\" away");
  std::vector<const Reader*> readers;
  for (const auto* reader : {&model, &layout, &training}) {
    if (reader->has_value()) readers.push_back(&**reader);
  }
  for (auto* reader : {&model, &layout, &training}) {
    if (reader->has_value()) (*reader)->finish(readers);
  }
  in.finish(readers);
}

// Where the job stands on the machine, and what is broken there.
void check_machine(const JsonValue& tree, const Scenario& scenario, ProblemList& problems) {
  Reader in(tree, "", problems);
  check_degraded(in, scenario);
  if (!in.sound("platform.nodes") || !in.sound("platform.node.gpus")) return;
  if (auto layout = in.object("layout")) check_placement(*layout, scenario);
}

}  // namespace

Scenario load_scenario(const std::string& file, const Sources& sources) {
  ProblemList problems;
  Scenario scenario;
  const JsonValue tree = resolve_scenario(file, sources, problems, scenario.files);
  scenario.file = file;
  SplitRequest split;
  read_scenario(tree, scenario, split, problems);
  if (scenario.name.empty()) scenario.name = name_of_file(tree, "standard input");
  if (scenario.model.name.empty()) scenario.model.name = "model";
  if (scenario.platform.name.empty()) scenario.platform.name = "platform";
  if (scenario.platform.gpu.name.empty()) scenario.platform.gpu.name = "GPU";
  apply_defaults(tree, scenario, problems);
  check_scenario(tree, split, scenario, problems);
  check_machine(tree, scenario, problems);
  problems.throw_if_any();
  return scenario;
}

Platform load_platform(const std::string& file, const Sources& sources) {
  ProblemList problems;
  const JsonValue tree = resolve_platform(file, sources, problems);
  Reader in(tree, "", problems);
  Platform platform;
  if (const auto reader = in.object("platform")) read_platform(*reader, platform);
  in.finish();
  problems.throw_if_any();
  if (platform.name.empty()) platform.name = file;
  return platform;
}

std::vector<Scenario> load_scenarios(const std::vector<std::string>& files,
                                     const Sources& sources) {
  std::vector<Scenario> scenarios;
  std::vector<Problem> problems;
  for (const std::string& file : files) {
    try {
      scenarios.push_back(load_scenario(file, sources));
    } catch (const InvalidInput& invalid) {
      problems.insert(problems.end(), invalid.problems().begin(), invalid.problems().end());
    }
  }
  if (!problems.empty()) throw InvalidInput(std::move(problems));
  return scenarios;
}

}  // namespace flotilla::config
