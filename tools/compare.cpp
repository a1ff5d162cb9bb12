#include "sim/report/compare.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/config/load.h"
#include "sim/report/guard.h"
#include "sim/report/json.h"
#include "sim/report/style.h"
#include "sim/step/simulate.h"
#include "tools/commands.h"

namespace flotilla::tools {

namespace {

struct CompareOptions {
  std::vector<std::string> scenarios;
  std::vector<std::string> overrides;
  bool json = false;
};

int compare(const CompareOptions& options) {
  const std::vector<config::Scenario> scenarios = config::load_scenarios(
      options.scenarios, {.overrides = options.overrides, .library_root = library_root()});
  std::vector<report::Summary> summaries;
  for (const config::Scenario& scenario : scenarios) {
    summaries.push_back(step::simulate(scenario).summary);
    report::require_sound(summaries.back());
  }
  if (options.json) {
    std::cout << report::json_text(report::compare_json(summaries));
  } else {
    std::cout << report::compare_page(summaries, report::detect_style(STDOUT_FILENO));
  }
  return 0;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand(
      "compare",
      "Simulates scenarios and sets them side by side, held to the first.\n\n"
      "Examples:\n"
      "  flotilla compare scenarios/one-card.json scenarios/two-cards-tensor.json\n"
      "  flotilla compare scenarios/korthikanti/175b-full.json "
      "scenarios/korthikanti/175b-selective.json");
  command->add_option("scenarios", options->scenarios, "Two scenario files or more")
      ->required()
      ->expected(2, 1000);
  command->add_option("--set", options->overrides, "Override one value in every scenario")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "Print JSON and nothing else");
  command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace flotilla::tools
