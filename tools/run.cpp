#include <unistd.h>

#include <iostream>
#include <memory>

#include "sim/config/load.h"
#include "sim/report/atomic_file.h"
#include "sim/report/json.h"
#include "sim/report/style.h"
#include "sim/report/text.h"
#include "sim/report/timeline.h"
#include "sim/report/trace.h"
#include "sim/report/words.h"
#include "sim/step/simulate.h"
#include "tools/commands.h"

namespace flotilla::tools {

namespace {

struct RunOptions {
  std::string scenario;
  std::vector<std::string> overrides;
  bool json = false;
  bool timeline = false;
  std::string trace;
  step::Fidelity fidelity = step::Fidelity::folded;
};

int run(const RunOptions& options) {
  const config::Scenario scenario = config::load_scenario(
      options.scenario, {.overrides = options.overrides, .library_root = library_root()});
  const step::Simulation simulation = step::simulate(scenario, options.fidelity);
  const graph::OpGraph& graph = simulation.step.graph;
  const auto names = report::stage_names(simulation.summary);
  if (!options.trace.empty()) {
    report::write_file_atomically(options.trace, [&](std::ostream& out) {
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
  std::cerr << report::run_hints(simulation.summary, report::detect_style(STDERR_FILENO));
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
                   "folded: one representative rank a stage; full: every GPU and every transfer")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, step::Fidelity>{{"folded", step::Fidelity::folded},
                                                {"full", step::Fidelity::full}}))
      ->type_name("{folded,full}");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace flotilla::tools
