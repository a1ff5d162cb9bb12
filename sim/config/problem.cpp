#include "sim/config/problem.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace flotilla::config {

InvalidInput::InvalidInput(std::vector<Problem> problems)
    : std::runtime_error(to_text(problems)), problems_(std::move(problems)) {}

Problem make_problem(const Place& place, std::string path, std::string message, std::string hint) {
  Problem problem;
  if (place.source) {
    problem.file = place.source->name;
    problem.line = place.line;
    problem.column = place.column;
    problem.length = place.length;
    if (place.line > 0) problem.source_line = place.source->line(place.line);
  }
  problem.path = std::move(path);
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  return problem;
}

void ProblemList::add(Problem problem) {
  mark(problem.path);
  problems_.push_back(std::move(problem));
}

void ProblemList::add(const Place& place, std::string path, std::string message, std::string hint) {
  add(make_problem(place, std::move(path), std::move(message), std::move(hint)));
}

void ProblemList::add(const InvalidInput& error) {
  for (const Problem& problem : error.problems()) add(problem);
}

bool ProblemList::sound(std::string_view path) const {
  const auto inside = [](std::string_view inner, std::string_view outer) {
    return inner == outer ||
           (inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '.');
  };
  return std::none_of(unsound_.begin(), unsound_.end(), [&](const std::string& bad) {
    return inside(bad, path) || inside(path, bad);
  });
}

void ProblemList::throw_if_any() const {
  if (problems_.empty()) return;
  std::vector<std::string> files;  // in the order in which they were read
  for (const Problem& problem : problems_) {
    if (std::find(files.begin(), files.end(), problem.file) == files.end()) {
      files.push_back(problem.file);
    }
  }
  const auto file_index = [&](const Problem& problem) {
    return std::find(files.begin(), files.end(), problem.file) - files.begin();
  };
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Problem& a, const Problem& b) {
    if (a.file != b.file) return file_index(a) < file_index(b);
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  throw InvalidInput(std::move(sorted));
}

namespace {

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min(
          {previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before = std::exchange(previous, current);
  }
  return previous[b.size()];
}

bool abbreviates(std::string_view letters, std::string_view word) {
  if (letters.size() < 2 || letters.size() > 3 || word.empty() || letters[0] != word[0]) {
    return false;
  }
  std::size_t found = 0;
  for (const char c : word) {
    if (found < letters.size() && c == letters[found]) ++found;
  }
  return found == letters.size();
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  // A misspelt word of hostile length is not worth a quadratic search.
  if (word.empty() || word.size() > 200) return {};
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    // Two letters of which one is wrong are not near.
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty()) return best;
  for (const std::string& candidate : candidates) {
    const bool contains = candidate.size() >= 3 && word.find(candidate) != std::string_view::npos;
    const bool contained = word.size() >= 3 && candidate.find(word) != std::string::npos;
    if ((contains || contained) && candidate.size() > best.size()) best = candidate;
  }
  if (!best.empty()) return best;
  for (const std::string& candidate : candidates) {
    if (abbreviates(candidate, word)) return candidate;
  }
  return {};
}

}  // namespace flotilla::config
