#include "sim/study/collective_pages.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/config/collective_names.h"
#include "sim/report/table.h"
#include "sim/report/words.h"
#include "sim/units/text.h"

namespace flotilla::study {

namespace {

using report::Align;
using report::Cell;
using report::Paint;
using report::Style;
using report::Table;
using Json = nlohmann::ordered_json;

std::string in_us(Seconds time) { return report::fixed(time.value() * 1e6, 1); }
std::string in_gbps(BytesPerSecond rate) { return report::fixed(rate.value() / 1e9, 2); }

std::string whole(double value) { return std::to_string(std::llround(value)); }

// "all_reduce of 64 ranks on DGX H100 SuperPOD: 8 nodes of 8"
std::string headline(const CollectiveSweep& sweep) {
  const collective::Placement& at = sweep.placement;
  std::string text = std::string(name_of(sweep.request.op)) + " of " + grouped(at.ranks) +
                     " ranks on " + sweep.platform.name + ": ";
  text +=
      at.nodes == 1 ? "one node" : grouped(at.nodes) + " nodes of " + grouped(at.ranks_per_node);
  if (at.ranks_per_node > 1) text += ", " + to_text(at.node_rate) + " a GPU inside";
  if (at.nodes > 1) text += ", " + to_text(at.network_rate) + " a GPU between nodes";
  return text;
}

std::string head(const CollectiveSweep& sweep, const Style& style) {
  std::string text;
  for (const auto& line : report::wrapped(report::printable(headline(sweep)), style.width, style)) {
    text += line + "\n";
  }
  return text + "\n";
}

Json row_json(const CollectiveSweep& sweep, const CollectiveRow& row) {
  return {{"bytes", std::llround(row.bytes.value())},
          {"ranks", sweep.placement.ranks},
          {"algorithm", name_of(row.plan.algorithm)},
          {"protocol", row.plan.protocol},
          {"time_s", row.plan.time.value()},
          {"algbw_Bps", row.algbw.value()},
          {"busbw_Bps", row.busbw.value()},
          {"latency_s", row.plan.latency.value()},
          {"node_bytes", row.plan.node_bytes.value()},
          {"network_bytes", row.plan.network_bytes.value()}};
}

// "measured 1.31 x the time" of the rows that bandwidth decides.
std::string verdict(const std::vector<double>& ratios) {
  if (ratios.empty()) return "The log has no rows of 1 MiB or more: nothing is said of bandwidth.";
  std::vector<double> sorted = ratios;
  std::sort(sorted.begin(), sorted.end());
  const double middle = sorted[sorted.size() / 2];
  const std::string number = report::fixed(middle, 2);
  if (middle > 1.25) {
    return "Slower than it should be: from 1 MiB on, the measured time is " + number +
           " x the predicted one (median).";
  }
  if (middle < 0.8) {
    return "Faster than predicted (" + number + " x, median): is this the platform of the log?";
  }
  return "As it should be: from 1 MiB on, the measured time is " + number +
         " x the predicted one (median).";
}

constexpr double kLargeMessage = 1 << 20;

struct Comparison {
  const CollectiveRow* row;
  const collective::LogRow* log;
  [[nodiscard]] double ratio() const { return log->time / row->plan.time; }
};

std::vector<Comparison> pairs(const CollectiveSweep& sweep, const collective::NcclLog& log) {
  std::vector<Comparison> found;
  for (const CollectiveRow& row : sweep.rows) {
    for (const collective::LogRow& measured : log.rows) {
      if (measured.bytes == row.bytes && measured.time > Seconds()) {
        found.push_back({&row, &measured});
      }
    }
  }
  return found;
}

std::vector<double> large_ratios(const std::vector<Comparison>& all) {
  std::vector<double> ratios;
  for (const Comparison& pair : all) {
    if (pair.row->bytes.value() >= kLargeMessage) ratios.push_back(pair.ratio());
  }
  return ratios;
}

// Rows of one sweep, or of all of them.
struct Errors {
  std::vector<double> small;
  std::vector<double> large;
  void add(const FactError& e) {
    (e.bytes.value() < kLargeMessage ? small : large).push_back(e.error());
  }
};

std::string fact_name(const CollectiveFact& fact) {
  const std::int64_t nodes = fact.ranks / fact.per_node;
  return fact.platform + (nodes > 1 ? ", " + std::to_string(nodes) + " nodes" : "");
}

std::vector<Cell> error_row(const std::string& platform, const std::string& op,
                            const std::string& ranks, const Errors& errors) {
  const ErrorSummary small = summarize(errors.small);
  const ErrorSummary large = summarize(errors.large);
  const auto share = [](const ErrorSummary& s, double value) {
    return s.rows == 0 ? std::string("-") : report::fixed(value * 100, 1) + " %";
  };
  return {{platform},
          {op},
          {ranks},
          {std::to_string(large.rows)},
          {share(large, large.median), large.median > 0.1 ? Paint::bad : Paint::plain},
          {share(large, large.percentile90), large.percentile90 > 0.25 ? Paint::bad : Paint::plain},
          {std::to_string(small.rows)},
          {share(small, small.median), small.median > 0.3 ? Paint::bad : Paint::plain}};
}

Json summary_json(const ErrorSummary& s) {
  return {{"rows", s.rows}, {"median", s.median}, {"p90", s.percentile90}, {"largest", s.largest}};
}

}  // namespace

std::string sweep_page(const CollectiveSweep& sweep, const Style& style) {
  Table table{{{"bytes"},
               {"time us"},
               {"algbw GB/s"},
               {"busbw GB/s"},
               {"algorithm", Align::left},
               {"protocol", Align::left, 1}},
              {}};
  for (const CollectiveRow& row : sweep.rows) {
    table.rows.push_back({{whole(row.bytes.value())},
                          {in_us(row.plan.time)},
                          {in_gbps(row.algbw)},
                          {in_gbps(row.busbw), Paint::strong},
                          {std::string(name_of(row.plan.algorithm))},
                          {row.plan.protocol}});
  }
  return head(sweep, style) + table.to_text(style);
}

Json sweep_json(const CollectiveSweep& sweep) {
  Json rows = Json::array();
  for (const CollectiveRow& row : sweep.rows) rows.push_back(row_json(sweep, row));
  return {{"schema", 1},
          {"platform", sweep.platform.name},
          {"op", name_of(sweep.request.op)},
          {"nodes", sweep.placement.nodes},
          {"rows", rows},
          {"engine", {{"fidelity", "folded"}, {"ranks_simulated", 1}}}};
}

std::string compare_log_page(const CollectiveSweep& sweep, const collective::NcclLog& log,
                             const Style& style) {
  const std::vector<Comparison> all = pairs(sweep, log);
  Table table{{{"bytes"},
               {"measured us"},
               {"predicted us"},
               {"measured GB/s"},
               {"predicted GB/s", Align::right, 2},
               {"time"},
               {"algorithm", Align::left, 1}},
              {}};
  for (const Comparison& pair : all) {
    const double ratio = pair.ratio();
    const BytesPerSecond busbw = pair.row->bytes / pair.log->time *
                                 collective::bus_factor(sweep.request.op, sweep.placement.ranks);
    table.rows.push_back({{whole(pair.row->bytes.value())},
                          {in_us(pair.log->time)},
                          {in_us(pair.row->plan.time)},
                          {in_gbps(busbw)},
                          {in_gbps(pair.row->busbw)},
                          {"x" + report::fixed(ratio, 2), ratio > 1.25 ? Paint::bad : Paint::plain},
                          {std::string(name_of(pair.row->plan.algorithm))}});
  }
  std::string page = verdict(large_ratios(all)) + "\n";
  std::int64_t wrong = 0;
  for (const auto& row : log.rows) wrong += row.wrong;
  if (wrong > 0)
    page += "The test found " + grouped(wrong) + " wrong values: look at that first.\n";
  std::string lines;
  for (const auto& line : report::wrapped(page, style.width, style, "\n")) lines += line + "\n";
  return lines + head(sweep, style) + table.to_text(style);
}

Json compare_log_json(const CollectiveSweep& sweep, const collective::NcclLog& log) {
  Json document = sweep_json(sweep);
  Json rows = Json::array();
  const std::vector<Comparison> all = pairs(sweep, log);
  for (const Comparison& pair : all) {
    Json row = row_json(sweep, *pair.row);
    row["measured_time_s"] = pair.log->time.value();
    row["measured_over_predicted"] = pair.ratio();
    rows.push_back(row);
  }
  document["rows"] = rows;
  std::vector<double> ratios = large_ratios(all);
  std::sort(ratios.begin(), ratios.end());
  document["median_ratio"] = ratios.empty() ? Json() : Json(ratios[ratios.size() / 2]);
  return document;
}

std::string errors_page(const std::vector<FactError>& errors, const Style& style) {
  Errors all;
  std::vector<const CollectiveFact*> order;
  std::map<const CollectiveFact*, Errors> by_fact;
  for (const FactError& e : errors) {
    if (by_fact.find(e.fact) == by_fact.end()) order.push_back(e.fact);
    by_fact[e.fact].add(e);
    all.add(e);
  }
  Table table{{{"platform", Align::left},
               {"collective", Align::left},
               {"ranks"},
               {">= 1 MiB"},
               {"median"},
               {"p90"},
               {"smaller", Align::right, 1},
               {"median", Align::right, 1}},
              {}};
  for (const CollectiveFact* fact : order) {
    std::string op(name_of(fact->op));
    if (!fact->algorithm.empty()) op += " " + fact->algorithm;
    table.rows.push_back(
        error_row(fact_name(*fact), op, std::to_string(fact->ranks), by_fact[fact]));
  }
  table.rows.push_back(error_row("all", "", "", all));
  const ErrorSummary large = summarize(all.large);
  std::ostringstream page;
  page << "Prediction against measurement, " << errors.size()
       << " rows: from 1 MiB on, the error is " << report::fixed(large.median * 100, 1)
       << " % in the median,\n"
       << report::fixed(large.percentile90 * 100, 1) << " % at the 90th percentile\n\n";
  return page.str() + table.to_text(style);
}

Json errors_json(const std::vector<FactError>& errors) {
  Errors all;
  Json rows = Json::array();
  for (const FactError& e : errors) {
    all.add(e);
    rows.push_back({{"platform", e.fact->platform},
                    {"op", name_of(e.fact->op)},
                    {"ranks", e.fact->ranks},
                    {"nodes", e.fact->ranks / e.fact->per_node},
                    {"bytes", std::llround(e.bytes.value())},
                    {"measured_s", e.measured.value()},
                    {"predicted_s", e.predicted.value()},
                    {"error", e.error()},
                    {"source", e.fact->source}});
  }
  return {{"schema", 1},
          {"set", "collectives"},
          {"from_1_mib", summary_json(summarize(all.large))},
          {"smaller", summary_json(summarize(all.small))},
          {"rows", rows}};
}

}  // namespace flotilla::study
