#include "sim/report/text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/model/flops.h"
#include "sim/report/memory_table.h"
#include "sim/report/table.h"
#include "sim/report/words.h"
#include "sim/units/text.h"

namespace flotilla::report {

namespace {

constexpr int word_width = 14;  // "Does not fit" and a gap

// "  Step        5.12 s ...": a strong word, then text that wraps below itself.
std::string fact(std::string_view word, std::string_view text, const Style& style,
                 Paint paint = Paint::strong) {
  std::string result;
  const int hang = 2 + word_width;
  std::string head = "  " + padded_right(painted(word, paint, style), hang - 2);
  for (const std::string& line : wrapped(text, style.width - hang, style)) {
    result += head + line + "\n";
    head = std::string(static_cast<std::size_t>(hang), ' ');
  }
  return result;
}

// The scenario's own name, unless it says no more than that of its file.
std::string title(const config::Scenario& scenario) {
  std::string_view stem = scenario.file;
  stem.remove_prefix(stem.rfind('/') + 1);  // npos + 1 is 0
  if (stem.ends_with(".json")) stem.remove_suffix(5);
  const bool unnamed = scenario.file == "-" && scenario.name == "standard input";
  return scenario.file.empty() || unnamed || stem == scenario.name ? "" : printable(scenario.name);
}

std::string header(const config::Scenario& scenario, const Style& style) {
  std::string text;
  for (const std::string& line : wrapped(title(scenario), style.width, style)) {
    if (!line.empty()) text += painted(line, Paint::strong, style) + "\n";
  }
  for (const std::string& line : wrapped(machine_line(scenario, style), style.width, style)) {
    text += painted(line, Paint::strong, style) + "\n";
  }
  for (const std::string& line : layout_lines(scenario, style)) text += line + "\n";
  return text;
}

std::string verdict(const Summary& s, const Style& style) {
  const auto fullest = std::max_element(
      s.memory.stages.begin(), s.memory.stages.end(),
      [](const StageMemory& a, const StageMemory& b) { return a.peak_bytes < b.peak_bytes; });
  std::string where = s.scenario.layout.gpus > 1 ? " on every GPU" : "";
  if (s.memory.stages.size() > 1) {
    where = " at stage " + grouped(fullest->stage) + ", the fullest";
  }
  const std::string use = memory_use(s.memory.peak, s.memory.capacity);
  if (s.memory.fits) return fact("Fits", use + where, style, Paint::good);
  return fact("Does not fit", memory_excess(s.memory) + where + ": " + use, style, Paint::bad);
}

// Counting the whole square of a causal attention, half of which is never computed, can take MFU
// past 100 % where sequences are long: what it is without that half. Empty where it hardly matters.
std::string without_the_masked_half(const Summary& s) {
  constexpr double worth_a_word = 0.2;  // share of attention in the model FLOPs
  config::Scenario causal = s.scenario;
  if (causal.training.attention_flops == config::AttentionFlops::causal) return "";
  causal.training.attention_flops = config::AttentionFlops::causal;
  const double remaining = model::model_flops(causal) / model::model_flops(s.scenario);
  if (!(2 * (1 - remaining) > worth_a_word)) return "";
  return " (" + percent(s.mfu * remaining) + " % with the causal half of attention alone)";
}

std::string speed(const Summary& s, const Style& style) {
  const config::Training& training = s.scenario.training;
  const std::string rates =
      counted(s.tokens_per_s) + " tokens/s, " + counted(s.tokens_per_s_per_gpu) + " tokens/s a GPU";
  std::string pace = padded_right(to_text(s.step), 14) + rates;
  if (word_width + display_width(pace) > style.width - 2) pace = to_text(s.step) + ", " + rates;
  std::string text = fact("Step", pace, style);
  std::string efficiency = to_text(s.flops_per_gpu) + " a GPU, MFU " + percent(s.mfu) + " %" +
                           without_the_masked_half(s);
  if (std::abs(s.hfu - s.mfu) > 0.0005) {
    efficiency += ", HFU " + percent(s.hfu) + " % with what is computed twice";
  }
  text += fact("Efficiency", efficiency, style);
  if (training.total_tokens > 0 && s.tokens_per_s > 0) {
    const Seconds duration(training.total_tokens / s.tokens_per_s);
    text += fact(
        "Training",
        counted(training.total_tokens) + " tokens take " + to_text(duration) + " if nothing fails",
        style);
  }
  return text;
}

// Eighths of a block where the terminal has them.
std::string bar(double columns, const Style& style) {
  if (columns <= 0) return "";
  if (!style.unicode) {
    return std::string(static_cast<std::size_t>(std::max(1.0, std::round(columns))), '#');
  }
  static constexpr std::array<const char*, 8> eighths = {"",       "\u258f", "\u258e", "\u258d",
                                                         "\u258c", "\u258b", "\u258a", "\u2589"};
  const long whole = std::max(1L, std::lround(columns * 8));
  std::string text;
  for (long i = 0; i < whole / 8; ++i) text += "\u2588";
  return text + eighths[static_cast<std::size_t>(whole % 8)];
}

std::string breakdown(const Summary& s, const Style& style) {
  constexpr int longest_bar = 42, shortest_bar = 10, label_and_numbers = 50;
  const int bar_columns = std::min(longest_bar, style.width - label_and_numbers);
  const TimeScale scale(s.breakdown.total());
  double largest = 0;
  for (const Part& part : breakdown_parts()) {
    largest = std::max(largest, (s.breakdown.*part.time).value());
  }
  Table table;
  if (bar_columns >= shortest_bar) table.columns.push_back({"Where a step goes", Align::left, 1});
  const bool bars = !table.columns.empty();
  table.columns.push_back({bars ? "" : "Where a step goes", Align::right, 0});
  table.columns.push_back({scale.unit(), Align::right, 0});
  table.columns.push_back({"%", Align::right, 0});
  const auto add = [&](Cell drawn, const std::string& label, Seconds time) {
    std::vector<Cell> row;
    if (bars) row.push_back(std::move(drawn));
    row.push_back({label});
    row.push_back({scale.number(time)});
    row.push_back({percent(time / s.breakdown.total())});
    table.rows.push_back(std::move(row));
  };
  for (const Part& part : breakdown_parts()) {
    const Seconds time = s.breakdown.*part.time;
    if (time.value() == 0) continue;
    add({bar(time.value() / largest * bar_columns, style), Paint::accent}, part.label, time);
  }
  add({}, "step", s.breakdown.total());
  return table.to_text(style);
}

std::string traffic(const Summary& s, const Style& style) {
  Table table;
  table.columns = {{"Traffic", Align::left, 0},   {"ranks", Align::right, 0},
                   {"algorithm", Align::left, 5}, {"where", Align::left, 2},
                   {"a step", Align::right, 4},   {"each takes", Align::right, 3},
                   {"busbw", Align::right, 0},    {"hidden", Align::right, 1}};
  const std::string times = style.unicode ? " \u00d7 " : " x ";
  for (const CollectiveLine& line : s.collectives) {
    std::string op = line.op;
    std::replace(op.begin(), op.end(), '_', '-');
    table.rows.push_back({{line.group + " " + op},
                          {grouped(line.ranks)},
                          {line.algorithm},
                          {printable(line.where)},
                          {grouped(line.count) + times + to_text(line.bytes)},
                          {to_text(line.time)},
                          {to_text(line.busbw)},
                          {fixed(line.hidden * 100, 0) + " %"}});
  }
  return table.to_text(style);
}

std::string assumptions(const config::Scenario& scenario, const Style& style) {
  std::string text;
  std::string word = "Assumed";
  for (const std::string& sentence : scenario.assumptions) {
    text += fact(word, printable(sentence), style);
    word.clear();
  }
  return text;
}

}  // namespace

std::string run_page(const Summary& s, const Style& style) {
  std::string page = header(s.scenario, style) + "\n";
  page += verdict(s, style) + speed(s, style) + "\n";
  page += breakdown(s, style) + "\n";
  page += memory_table(s.memory, style);
  if (!s.collectives.empty()) page += "\n" + traffic(s, style);
  if (!s.scenario.assumptions.empty()) page += "\n" + assumptions(s.scenario, style);
  return page;
}

}  // namespace flotilla::report
