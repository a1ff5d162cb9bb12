#include "sim/report/compare.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/json.h"
#include "sim/report/settings.h"
#include "sim/report/table.h"
#include "sim/report/words.h"
#include "sim/units/text.h"

namespace flotilla::report {

namespace {

std::vector<config::Scenario> scenarios_of(std::span<const Summary> summaries) {
  std::vector<config::Scenario> scenarios;
  for (const Summary& summary : summaries) scenarios.push_back(summary.scenario);
  return scenarios;
}

// A, B, ..., Z, AA, AB, ...
std::string letters(std::size_t index) {
  const std::string last(1, static_cast<char>('A' + index % 26));
  return index < 26 ? last : letters(index / 26 - 1) + last;
}

// GPU-seconds that one token costs for each second of the step.
double gpus_per_token_rate(const Summary& s) {
  const double tokens = s.tokens_per_s * s.step.value();
  return tokens > 0 ? static_cast<double>(s.scenario.layout.gpus) / tokens : 0;
}

// 0.89, 12.3, 384.
std::string times(double ratio) { return fixed(ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0); }

// What stands in the columns of one scenario: a value, and what it means.
struct Entry {
  Cell value;
  std::string note = "";
};

class Comparison {
 public:
  Comparison(std::span<const Summary> summaries, const Style& style)
      : summaries_(summaries),
        style_(style),
        differences_(differences(scenarios_of(summaries))),
        scale_(std::max_element(summaries.begin(), summaries.end(),
                                [](const Summary& a, const Summary& b) { return a.step < b.step; })
                   ->step) {
    for (const Summary& other : summaries) {
      explained_.push_back(explaining_parts(summaries.front(), other));
    }
    value_width_ = widest_value;
    while (value_width_ >= narrowest_value && !fits(1, summaries.size() - 1)) value_width_ -= 2;
    if (value_width_ < narrowest_value) value_width_ = value_of_many;
  }

  [[nodiscard]] std::string page() const {
    std::string text;
    const std::size_t others = summaries_.size() - 1;
    std::size_t done = 0;
    do {
      std::size_t count = others - done;
      while (count > 1 && !fits(done + 1, count)) --count;
      text += block(done + 1, count) + "\n";
      done += count;
    } while (done < others);
    return text + closing();
  }

 private:
  // Columns that a name or a value may take: as many as keep all scenarios in one table, or else
  // what is comfortable in each of several.
  static constexpr int widest_value = 70, narrowest_value = 16, value_of_many = 26;
  int value_width_ = value_of_many;

  // The table of the first scenario beside `count` others from `from` on.
  [[nodiscard]] std::string block(std::size_t from, std::size_t count) const {
    return table(from, count).to_text(style_);
  }

  [[nodiscard]] bool fits(std::size_t from, std::size_t count) const {
    Style endless = style_;
    endless.width = 100'000;
    const std::string text = table(from, count).to_text(endless);
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = text.find('\n', start);
      if (display_width(std::string_view(text).substr(start, end - start)) > style_.width) {
        return false;
      }
      start = end + 1;
    }
    return true;
  }

  [[nodiscard]] Table table(std::size_t from, std::size_t count) const {
    std::vector<std::size_t> shown = {0};
    for (std::size_t i = 0; i < count; ++i) shown.push_back(from + i);
    Table result;
    result.columns.push_back({"", Align::left, 0});
    for (const std::size_t i : shown) {
      const std::string name = letters(i) + ": " + printable(summaries_[i].scenario.name);
      result.columns.push_back({shortened(name, value_width_, style_), Align::right, 0});
      result.columns.push_back({"", Align::left, 0});
    }
    for (const Difference& difference : differences_) {
      add_row(result, shown, {difference.path, Paint::accent}, [&](std::size_t i) {
        return Entry{{shortened(difference.values[i], value_width_, style_), Paint::accent}};
      });
    }
    if (!differences_.empty()) result.rows.emplace_back();
    add_results(result, shown);
    result.rows.emplace_back();
    add_breakdown(result, shown);
    return result;
  }

  template <class EntryOf>
  static void add_row(Table& result, const std::vector<std::size_t>& shown, const Cell& label,
                      const EntryOf& entry_of) {
    std::vector<Cell> row = {label};
    for (const std::size_t i : shown) {
      const Entry entry = entry_of(i);
      row.push_back(entry.value);
      row.push_back({entry.note, Paint::strong});
    }
    result.rows.push_back(std::move(row));
  }

  void add_results(Table& result, const std::vector<std::size_t>& shown) const {
    const Summary& first = summaries_.front();
    // The first scenario is what the others are held to.
    const auto ratio = [](std::size_t i, double value) { return i == 0 ? "" : "x" + times(value); };
    add_row(result, shown, {"Fits"}, [&](std::size_t i) {
      const Memory& memory = summaries_[i].memory;
      return memory.fits ? Entry{{"yes", Paint::good}}
                         : Entry{{"no, " + memory_excess(memory), Paint::bad}};
    });
    add_row(result, shown, {"Memory peak"},
            [&](std::size_t i) { return Entry{{memory_text(summaries_[i].memory.peak)}}; });
    add_row(result, shown, {"Step"}, [&](std::size_t i) {
      const Summary& s = summaries_[i];
      return Entry{{to_text(s.step), Paint::strong}, ratio(i, s.step / first.step)};
    });
    add_row(result, shown, {"Tokens/s"}, [&](std::size_t i) {
      const Summary& s = summaries_[i];
      return Entry{{counted(s.tokens_per_s), Paint::strong},
                   ratio(i, s.tokens_per_s / first.tokens_per_s)};
    });
    add_row(result, shown, {"TFLOP/s a GPU"}, [&](std::size_t i) {
      return Entry{{three_digits(summaries_[i].flops_per_gpu.value() / 1e12)}};
    });
    add_row(result, shown, {"MFU"},
            [&](std::size_t i) { return Entry{{percent(summaries_[i].mfu) + " %"}}; });
  }

  void add_breakdown(Table& result, const std::vector<std::size_t>& shown) const {
    for (const Part& part : breakdown_parts()) {
      const bool nothing = std::all_of(summaries_.begin(), summaries_.end(), [&](const Summary& s) {
        return (s.breakdown.*part.time).value() == 0;
      });
      if (nothing) continue;
      add_row(result, shown, {part.label}, [&](std::size_t i) {
        const Seconds time = summaries_[i].breakdown.*part.time;
        const auto& why = explained_[i];
        const bool explains = std::find(why.begin(), why.end(), &part) != why.end();
        const std::string text =
            time.value() == 0 ? "-" : scale_.number(time) + " " + scale_.unit();
        return Entry{{text}, explains ? (style_.unicode ? "\u2190 why" : "<- why") : ""};
      });
    }
  }

  // "B makes 1.12 x the tokens/s of A, 0.56 x per GPU: tensor chatter (tp) takes more of each GPU."
  [[nodiscard]] std::string sentence(std::size_t i) const {
    const Summary &first = summaries_.front(), &other = summaries_[i];
    std::string text = letters(i) + " makes " + times(other.tokens_per_s / first.tokens_per_s) +
                       " x the tokens/s of " + letters(0);
    if (other.scenario.layout.gpus != first.scenario.layout.gpus) {
      text += " (" + times(other.tokens_per_s_per_gpu / first.tokens_per_s_per_gpu) + " x a GPU)";
    }
    if (explained_[i].empty()) return text + ".";
    const bool slower = other.tokens_per_s_per_gpu < first.tokens_per_s_per_gpu;
    text += slower ? ": each token costs more " : ": each token costs less ";
    for (std::size_t k = 0; k < explained_[i].size(); ++k) {
      const bool last = k + 1 == explained_[i].size();
      text += (k == 0 ? "" : last ? " and " : ", ") + std::string(explained_[i][k]->label);
    }
    return text + ".";
  }

  // All of the others when they are few; otherwise the fastest and the slowest.
  [[nodiscard]] std::string closing() const {
    std::vector<std::size_t> told;
    for (std::size_t i = 1; i < summaries_.size(); ++i) told.push_back(i);
    if (told.size() > 5) {
      const auto [slowest, fastest] =
          std::minmax_element(told.begin(), told.end(), [&](std::size_t a, std::size_t b) {
            return summaries_[a].tokens_per_s < summaries_[b].tokens_per_s;
          });
      told = {*fastest, *slowest};
    }
    std::string text;
    for (const std::size_t i : told) {
      std::string indent = "  ";
      for (const std::string& line : wrapped(sentence(i), style_.width - 6, style_)) {
        text += indent + line + "\n";
        indent = "     ";
      }
    }
    return text;
  }

  std::span<const Summary> summaries_;
  const Style& style_;
  std::vector<Difference> differences_;
  TimeScale scale_;
  std::vector<std::vector<const Part*>> explained_;  // by scenario
};

}  // namespace

std::vector<const Part*> explaining_parts(const Summary& base, const Summary& other) {
  constexpr double worth_a_word = 0.01, most = 0.5;
  const double base_rate = gpus_per_token_rate(base), other_rate = gpus_per_token_rate(other);
  const double base_cost = base.breakdown.total().value() * base_rate;
  const double change = other.breakdown.total().value() * other_rate - base_cost;
  if (std::abs(change) < worth_a_word * base_cost) return {};
  struct Change {
    const Part* part;
    double amount;  // in the direction of the whole change
  };
  std::vector<Change> changes;
  double all = 0;
  for (const Part& part : breakdown_parts()) {
    const double before = (base.breakdown.*part.time).value() * base_rate;
    const double after = (other.breakdown.*part.time).value() * other_rate;
    const double amount = change > 0 ? after - before : before - after;
    if (amount <= 0) continue;
    changes.push_back({&part, amount});
    all += amount;
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.amount > b.amount; });
  std::vector<const Part*> parts;
  double explained = 0;
  for (const Change& c : changes) {
    if (explained > most * all) break;
    parts.push_back(c.part);
    explained += c.amount;
  }
  return parts;
}

std::string compare_page(std::span<const Summary> summaries, const Style& style) {
  return summaries.empty() ? "" : Comparison(summaries, style).page();
}

nlohmann::ordered_json compare_json(std::span<const Summary> summaries) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Summary& summary : summaries) {
    const Summary& first = summaries.front();
    nlohmann::ordered_json why = nlohmann::ordered_json::array();
    for (const Part* part : explaining_parts(first, summary)) why.push_back(part->key);
    nlohmann::ordered_json row = json_of(summary);
    row["relative"] = {{"step", summary.step / first.step},
                       {"tokens_per_s", summary.tokens_per_s / first.tokens_per_s},
                       {"why", std::move(why)}};
    rows.push_back(std::move(row));
  }
  nlohmann::ordered_json found = nlohmann::ordered_json::array();
  for (const Difference& d : differences(scenarios_of(summaries))) {
    found.push_back({{"setting", d.path}, {"values", d.values}});
  }
  return {{"schema", 1}, {"rows", std::move(rows)}, {"differences", std::move(found)}};
}

}  // namespace flotilla::report
