#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>

#include "sim/config/load.h"
#include "sim/config/problem.h"
#include "sim/report/atomic_file.h"
#include "sim/report/guard.h"
#include "sim/report/json.h"
#include "sim/report/style.h"
#include "sim/report/text.h"
#include "sim/report/timeline.h"
#include "sim/report/trace.h"
#include "sim/report/words.h"
#include "sim/step/advice.h"
#include "sim/step/simulate.h"
#include "tools/commands.h"
#include "tools/trace_target.h"

namespace flotilla::tools {

namespace {

struct RunOptions {
  std::string scenario;
  std::vector<std::string> overrides;
  bool json = false;
  bool timeline = false;
  std::optional<std::string> trace;
  step::Fidelity fidelity = step::Fidelity::folded;
};

config::Scenario load(const RunOptions& options, const step::Settings& more = {}) {
  std::vector<std::string> overrides = options.overrides;
  overrides.insert(overrides.end(), more.begin(), more.end());
  return config::load_scenario(options.scenario,
                               {.overrides = overrides, .library_root = library_root()});
}

// Settings that the person could add to this very command.
step::Settings advice(const RunOptions& options, const report::Summary& summary) {
  return step::advise(summary, [&](const step::Settings& more) -> std::optional<config::Scenario> {
    try {
      return load(options, more);
    } catch (const config::InvalidInput&) {
      return std::nullopt;
    }
  });
}

int run(const RunOptions& options) {
  const config::Scenario scenario = load(options);
  if (options.trace) check_trace_target(*options.trace, scenario.files, options.json);
  step::Simulation simulation = step::simulate(scenario, options.fidelity);
  report::require_sound(simulation.summary);
  const graph::OpGraph& graph = simulation.step.graph;
  const auto names = report::stage_names(simulation.summary);
  if (options.trace) {
    report::write_file_atomically(*options.trace, [&](std::ostream& out) {
      report::write_trace(graph, simulation.timeline, {.rank_names = names}, out);
    });
  }
  if (options.json) {
    std::cout << report::to_json(simulation.summary);
    return 0;
  }
  const report::Style style = report::detect_style(STDOUT_FILENO);
  std::cout << report::run_page(simulation.summary, style);
  if (options.timeline) {
    std::cout << '\n'
              << report::timeline_page(
                     graph, simulation.timeline,
                     {.rank_names = names, .bubble_fraction = simulation.summary.bubble_fraction},
                     style);
  }
  std::cout.flush();  // hints stand below the page, and only below one that could be written
  if (!std::cout) return 0;
  simulation.summary.advice = advice(options, simulation.summary);
  std::cerr << report::run_hints(
      simulation.summary, report::detect_style(STDERR_FILENO),
      {.timeline = options.timeline, .trace = options.trace.has_value()});
  return 0;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand(
      "run",
      "Simulates a training step of a scenario and says where the time goes.\n\n"
      "Examples:\n"
      "  flotilla run scenarios/llama3-405b-16k-h100.json --set layout.recompute=full\n"
      "  flotilla run scenarios/two-cards-8-microbatches.json --timeline --trace step.json");
  command->add_option("scenario", options->scenario, "Scenario file; a shipped name; - for stdin")
      ->required();
  command->add_option("--set", options->overrides, "Override one value, e.g. layout.tp=4")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  CLI::Option* json = command->add_flag("--json", options->json, "Print JSON and nothing else");
  command->add_flag("--timeline", options->timeline, "Draw the pipeline of the step")
      ->excludes(json);
  command
      ->add_option("--trace", options->trace,
                   "Write a trace for ui.perfetto.dev or chrome://tracing")
      ->type_name("FILE");
  command
      ->add_option("--fidelity", options->fidelity,
                   "folded: one rank a stage; full: every GPU, every transfer")
      ->transform(CLI::CheckedTransformer(std::map<std::string, step::Fidelity>{
          {"folded", step::Fidelity::folded}, {"full", step::Fidelity::full}}))
      ->type_name("{folded,full}");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace flotilla::tools
