#include <unistd.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/config/problem.h"
#include "sim/report/json.h"
#include "sim/report/style.h"
#include "sim/study/collective_facts.h"
#include "sim/study/collective_pages.h"
#include "tools/commands.h"

namespace flotilla::tools {

namespace {

struct ValidateOptions {
  std::string set = "collectives";
  bool json = false;
};

int validate(const ValidateOptions& options) {
  if (options.set != "collectives") {
    config::Problem problem;
    problem.file = "--set " + options.set;
    problem.message = "there is no such set of measurements";
    problem.hint = "known: collectives";
    throw config::InvalidInput({problem});
  }
  const auto facts = study::read_collective_facts(library_root() + "/tests/data/collectives.json");
  const auto errors = study::collective_errors(facts, library_root());
  if (options.json) {
    std::cout << report::json_text(study::errors_json(errors));
  } else {
    std::cout << study::errors_page(errors, report::detect_style(STDOUT_FILENO));
  }
  return 0;
}

}  // namespace

void add_validate(CLI::App& app, Action& action) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command =
      app.add_subcommand("validate",
                         "Predicts published measurements and prints how far off it is.\n\n"
                         "Examples:\n"
                         "  flotilla validate --set collectives\n"
                         "  flotilla validate --set collectives --json");
  command->add_option("--set", options->set, "Which measurements: collectives");
  command->add_flag("--json", options->json, "Print JSON and nothing else");
  command->callback([options, &action] { action = [options] { return validate(*options); }; });
}

}  // namespace flotilla::tools
