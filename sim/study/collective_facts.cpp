#include "sim/study/collective_facts.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/config/load.h"
#include "sim/config/problem.h"
#include "sim/study/collective_sweep.h"

namespace flotilla::study {

namespace {

CollectiveFact fact_of(const nlohmann::json& sweep, const nlohmann::json& sources) {
  CollectiveFact fact;
  fact.platform = sweep.at("platform");
  fact.op = parse_op(sweep.at("op"));
  fact.ranks = sweep.at("ranks");
  fact.per_node = sweep.at("per_node");
  fact.algorithm = sweep.value("algorithm", "");
  fact.source = sources.at(sweep.at("source").get<std::string>());
  for (const double bytes : sweep.at("bytes")) fact.bytes.emplace_back(bytes);
  for (const double us : sweep.at("us")) fact.times.emplace_back(us * 1e-6);
  if (fact.bytes.size() != fact.times.size()) {
    throw std::out_of_range("a sweep needs as many times as sizes");
  }
  return fact;
}

}  // namespace

std::vector<CollectiveFact> read_collective_facts(const std::string& file) {
  try {
    std::ifstream in(file);
    const nlohmann::json root = nlohmann::json::parse(in);
    std::vector<CollectiveFact> facts;
    for (const auto& sweep : root.at("sweeps")) {
      facts.push_back(fact_of(sweep, root.at("sources")));
    }
    return facts;
  } catch (const std::exception& trouble) {
    config::Problem problem;
    problem.file = file;
    problem.message = std::string("not a file of measured collectives: ") + trouble.what();
    throw config::InvalidInput({problem});
  }
}

std::vector<FactError> collective_errors(const std::vector<CollectiveFact>& facts,
                                         const std::string& library_root) {
  std::vector<FactError> errors;
  for (const CollectiveFact& fact : facts) {
    config::Platform platform =
        config::load_platform(fact.platform, {.overrides = {}, .library_root = library_root});
    // The rest of a large machine takes time to build and plays no part.
    platform.nodes = std::min(platform.nodes, fact.ranks / fact.per_node);
    CollectiveRequest request;
    request.op = fact.op;
    request.ranks = fact.ranks;
    request.per_node = fact.per_node;
    if (!fact.algorithm.empty()) request.algorithm = parse_algorithm(fact.algorithm);
    request.sizes = fact.bytes;
    const CollectiveSweep sweep = sweep_collective(platform, request);
    for (std::size_t i = 0; i < sweep.rows.size(); ++i) {
      errors.push_back({&fact, fact.bytes[i], fact.times[i], sweep.rows[i].plan.time});
    }
  }
  return errors;
}

ErrorSummary summarize(std::vector<double> errors) {
  ErrorSummary summary;
  summary.rows = errors.size();
  if (errors.empty()) return summary;
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double share) {
    return errors[std::min(errors.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(errors.size())))];
  };
  summary.median = at(0.5);
  summary.percentile90 = at(0.9);
  summary.largest = errors.back();
  return summary;
}

}  // namespace flotilla::study
