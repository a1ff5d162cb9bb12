#include <unistd.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/collective/nccl_log.h"
#include "sim/config/load.h"
#include "sim/config/problem.h"
#include "sim/report/json.h"
#include "sim/report/style.h"
#include "sim/study/collective_pages.h"
#include "sim/study/collective_sweep.h"
#include "tools/commands.h"

namespace flotilla::tools {

namespace {

struct CollectiveOptions {
  std::string platform;
  std::string op = "all_reduce";
  std::int64_t ranks = 0;
  std::int64_t per_node = 0;
  std::string sizes = "1KB..8GB";
  std::string algorithm;
  std::string log;
  bool json = false;
};

collective::NcclLog read_log(const std::string& file) {
  std::ifstream in(file);
  const collective::NcclLog log = file == "-"    ? collective::read_nccl_log(std::cin)
                                  : in.is_open() ? collective::read_nccl_log(in)
                                                 : collective::NcclLog{};
  if (!log.rows.empty()) return log;
  config::Problem problem;
  problem.file = file;
  problem.message = in.is_open() || file == "-" ? "holds no rows that nccl-tests would print"
                                                : "this file cannot be read";
  throw config::InvalidInput({problem});
}

int run(const CollectiveOptions& options) {
  study::CollectiveRequest request;
  request.op = study::parse_op(options.op);
  request.ranks = options.ranks;
  request.per_node = options.per_node;
  if (!options.algorithm.empty()) request.algorithm = study::parse_algorithm(options.algorithm);
  collective::NcclLog log;
  if (options.log.empty()) {
    request.sizes = study::parse_sizes(options.sizes);
  } else {
    log = read_log(options.log);
    for (const collective::LogRow& row : log.rows) {
      if (row.bytes > Bytes()) request.sizes.push_back(row.bytes);
    }
    if (request.ranks == 0) request.ranks = log.ranks;
    if (request.per_node == 0 && request.ranks == log.ranks && log.hosts > 0) {
      request.per_node = log.ranks / log.hosts;
    }
  }
  const study::CollectiveSweep sweep = study::sweep_collective(
      config::load_platform(options.platform, {.overrides = {}, .library_root = library_root()}),
      std::move(request));
  const report::Style style = report::detect_style(STDOUT_FILENO);
  if (options.json) {
    std::cout << report::json_text(options.log.empty() ? study::sweep_json(sweep)
                                                       : study::compare_log_json(sweep, log));
  } else {
    std::cout << (options.log.empty() ? study::sweep_page(sweep, style)
                                      : study::compare_log_page(sweep, log, style));
  }
  return 0;
}

}  // namespace

void add_collective(CLI::App& app, Action& action) {
  auto options = std::make_shared<CollectiveOptions>();
  CLI::App* command = app.add_subcommand(
      "collective",
      "Prints the table that nccl-tests would print on a platform.\n\n"
      "Examples:\n"
      "  flotilla collective dgx-h100-superpod --op all_reduce --ranks 64 --sizes 1KB..8GB\n"
      "  flotilla collective gb200-nvl72 --op all_to_all --ranks 72 --json");
  command->add_option("platform", options->platform, "A shipped platform or a file")->required();
  command->add_option("--op", options->op,
                      "all_reduce, all_gather, reduce_scatter, broadcast,\nall_to_all, send_recv");
  command->add_option("--ranks", options->ranks, "GPUs of the group; all of the platform if absent")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  command
      ->add_option("--per-node", options->per_node,
                   "GPUs of the group on each node; whole nodes if absent")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  command->add_option("--sizes", options->sizes, "\"1KB..8GB\" (doubling) or \"1MiB,3MiB\"");
  command->add_option(
      "--algorithm", options->algorithm,
      "Instead of the library's choice: ring, tree,\nhierarchical, nvls, nvls_tree, pairwise");
  command->add_option("--compare", options->log, "Set a log of nccl-tests beside the prediction")
      ->type_name("LOG");
  command->add_flag("--json", options->json, "Print JSON and nothing else");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace flotilla::tools
