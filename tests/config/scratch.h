// Scenarios for the tests of sim/config: a small legal one, and what the loader says to changed
// ones.
#pragma once

#include <string>
#include <vector>

#include "sim/config/load.h"
#include "sim/config/problem.h"

namespace flotilla::test {

using Overrides = std::vector<std::string>;

// A legal scenario, self-contained: 24 layers, 16 heads, ffn 4096 on 4 nodes of 8 GPUs; tp 4, pp 2,
// dp 2; global_batch 32, micro_batch 2.
std::string legal_scenario();

// The legal scenario with one piece of its text replaced; the piece must be there.
std::string legal_but(const std::string& piece, const std::string& replacement);

// A folder of its own for this process, removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  // Writes a file and returns its path.
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const;
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

config::Sources shipped(const Overrides& overrides = {});
config::Scenario load_file(const std::string& file, const Overrides& overrides = {});
config::Scenario load_text(const std::string& text, const Overrides& overrides = {});

// What a person reads when the input is refused. Fails the test when it is not.
std::string refusal_of_file(const std::string& file, const Overrides& overrides = {});
std::string refusal(const std::string& text, const Overrides& overrides = {});

}  // namespace flotilla::test
