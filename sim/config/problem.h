// What is wrong with an input, collected so that a person sees all of it at once.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/source_text.h"

namespace flotilla::config {

struct Problem {
  std::string file;         // as the person named it; "--set" for the command line; "-" is stdin
  int line = 0;             // 1-based; 0: no place in a file
  int column = 0;           // 1-based, in characters
  int length = 1;           // how many characters to underline
  std::string source_line;  // the text of that line
  std::string path;         // JSON path: training.global_batch
  std::string message;      // "not a multiple of micro_batch 2 x dp 7 = 14"
  std::string hint;         // "nearest that work: 252, 266"; may be empty
};

class InvalidInput : public std::runtime_error {
 public:
  explicit InvalidInput(std::vector<Problem> problems);
  [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

Problem make_problem(const Place& place, std::string path, std::string message,
                     std::string hint = {});

// Collects problems while an input is read and checked.
class ProblemList {
 public:
  void add(Problem problem);
  void add(const Place& place, std::string path, std::string message, std::string hint = {});
  void add(const InvalidInput& error);
  // The value at this path is unusable, for a reason that has been added already.
  void mark(std::string path) { unsound_.insert(std::move(path)); }

  // True when nothing is wrong at this path, above it or below it: the value can be relied on.
  [[nodiscard]] bool sound(std::string_view path) const;
  [[nodiscard]] bool empty() const { return problems_.empty(); }
  // In the order of their places, file by file.
  void throw_if_any() const;

 private:
  std::vector<Problem> problems_;
  std::set<std::string, std::less<>> unsound_;
};

// The problem as an editor would show it: place, source line with a caret, message, hint.
std::string to_text(const Problem& problem);
// All of them, and the closing "2 errors; nothing was run."
std::string to_text(const std::vector<Problem>& problems);

// A text that somebody typed, fit for a message: control characters are question marks, and what is
// too long is cut in its middle.
std::string excerpt(std::string_view text, std::size_t most = 60);

// "tp" for "tpp", "bf16" for "BF16": the candidate with the smallest edit distance, or one that the
// word contains ("layers" for "num_layers") or that abbreviates it ("pp" for "pipeline_parallel");
// empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace flotilla::config
