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

// True when the letters stand, in order, among the initials of the words of a key.
bool abbreviates(std::string_view letters, std::string_view key) {
  if (letters.size() < 2 || letters.size() > 3 || key.empty() || letters[0] != key[0]) {
    return false;
  }
  std::size_t found = 0;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool initial = i == 0 || key[i - 1] == '_' || key[i - 1] == '-';
    if (initial && found < letters.size() && key[i] == letters[found]) ++found;
  }
  return found == letters.size();
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Edits that still leave a word recognisable: a third of its letters, or the second of two. Of two
// file names, the extension that they share says nothing.
std::size_t tolerable_edits(std::string_view word, std::string_view candidate) {
  std::size_t length = std::max(word.size(), candidate.size());
  const std::size_t dot = word.rfind('.');
  if (dot != std::string_view::npos && candidate.ends_with(word.substr(dot))) {
    length -= word.size() - dot;
  }
  const bool same_start = !candidate.empty() && word.front() == candidate.front();
  return length == 2 && same_start ? 1 : length / 3;
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& candidates) {
  // A misspelt word of hostile length is not worth a quadratic search.
  if (typed.empty() || typed.size() > 200) return {};
  const std::string word = lower_case(typed);
  std::string best;
  std::size_t best_distance = word.size() + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, lower_case(candidate));
    if (distance < best_distance && distance <= tolerable_edits(word, candidate)) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty()) return best;
  for (const std::string& candidate : candidates) {
    const bool contains = candidate.size() >= 3 && word.find(candidate) != std::string::npos;
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
