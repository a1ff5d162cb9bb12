#include <unistd.h>

#include <iostream>
#include <memory>

#include "sim/config/load.h"
#include "sim/config/problem.h"
#include "sim/report/topology_page.h"
#include "tools/commands.h"

namespace flotilla::tools {

namespace {

struct TopologyOptions {
  std::string platform;
  std::vector<std::string> overrides;
  std::vector<std::int64_t> ends;  // of routes: from, to, from, to, ...
  bool json = false;
  bool dot = false;
};

std::vector<report::GpuPair> routes(const TopologyOptions& options, std::int64_t gpus) {
  std::vector<report::GpuPair> pairs;
  for (std::size_t i = 0; i + 1 < options.ends.size(); i += 2) {
    pairs.emplace_back(options.ends[i], options.ends[i + 1]);
  }
  std::vector<config::Problem> problems;
  for (const auto& [from, to] : pairs) {
    for (const std::int64_t gpu : {from, to}) {
      if (gpu >= 0 && gpu < gpus) continue;
      config::Problem problem;
      problem.file = "--route " + std::to_string(from) + " " + std::to_string(to);
      problem.message = "there is no GPU " + std::to_string(gpu) + ": the platform has GPUs 0 to " +
                        std::to_string(gpus - 1);
      problems.push_back(problem);
    }
  }
  if (!problems.empty()) throw config::InvalidInput(problems);
  return pairs;
}

int topology(const TopologyOptions& options) {
  const config::Platform platform = config::load_platform(
      options.platform, {.overrides = options.overrides, .library_root = library_root()});
  const std::vector<report::GpuPair> pairs = routes(options, platform.gpus());
  const topology::Fabric fabric(platform);
  const report::TopologyView view{
      .platform = platform,
      .fabric = fabric,
      .bisection = options.dot ? topology::Bisection{} : topology::bisection(fabric),
      .routes = pairs};
  if (options.json) {
    std::cout << report::topology_json(view);
  } else if (options.dot) {
    std::cout << report::topology_dot(view);
  } else {
    std::cout << report::topology_page(view, report::detect_style(STDOUT_FILENO));
  }
  return 0;
}

}  // namespace

void add_topology(CLI::App& app, Action& action) {
  auto options = std::make_shared<TopologyOptions>();
  CLI::App* command =
      app.add_subcommand("topology",
                         "Tells a platform in words: links, routes, bisection bandwidth.\n\n"
                         "Examples:\n"
                         "  flotilla topology llama3-h100-roce --route 0 9 --route 0 24575\n"
                         "  flotilla topology dgx-1-v100 --dot | dot -Tsvg > dgx-1.svg");
  command->add_option("platform", options->platform, "Platform file, or a shipped name")
      ->required();
  command->add_option("--route", options->ends, "Show the way from one GPU to another")
      ->type_name("FROM TO")
      ->type_size(2)
      ->allow_extra_args(false);
  command->add_option("--set", options->overrides, "Override one value, e.g. platform.nodes=4")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  CLI::Option* json = command->add_flag("--json", options->json, "Print JSON and nothing else");
  command->add_flag("--dot", options->dot, "Print a graph for Graphviz")->excludes(json);
  command->callback([options, &action] { action = [options] { return topology(*options); }; });
}

}  // namespace flotilla::tools
