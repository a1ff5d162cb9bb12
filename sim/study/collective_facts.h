// Measured collectives, and how far the prediction is from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/collective/collective.h"

namespace flotilla::study {

// One measured sweep over sizes.
struct CollectiveFact {
  std::string platform;  // a shipped name
  collective::Op op = collective::Op::all_reduce;
  std::int64_t ranks = 0;
  std::int64_t per_node = 0;
  std::string algorithm;  // empty: the library's choice
  std::string source;
  std::vector<Bytes> bytes;
  std::vector<Seconds> times;
};

// Reads a JSON file of sweeps: { "sources": {key: text}, "sweeps": [ { "platform", "op", "ranks",
// "per_node", "source", "bytes": [], "us": [] } ] }. Throws config::InvalidInput.
std::vector<CollectiveFact> read_collective_facts(const std::string& file);

struct FactError {
  const CollectiveFact* fact;
  Bytes bytes;
  Seconds measured;
  Seconds predicted;
  // Of the prediction, relative to what was measured.
  [[nodiscard]] double error() const { return predicted / measured - 1; }
};

// In the order of the facts. `library_root`: the folder with platforms/.
std::vector<FactError> collective_errors(const std::vector<CollectiveFact>& facts,
                                         const std::string& library_root);

// Median and 90th percentile of |error| over a set of rows.
struct ErrorSummary {
  std::size_t rows = 0;
  double median = 0;
  double percentile90 = 0;
  double largest = 0;
};
ErrorSummary summarize(std::vector<double> errors);

}  // namespace flotilla::study
