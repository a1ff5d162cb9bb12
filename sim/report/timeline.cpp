#include "sim/report/timeline.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/report/timeline_rows.h"
#include "sim/report/words.h"
#include "sim/units/text.h"

namespace flotilla::report {

namespace {

using graph::Stream;

// The character that fills a cell behind its number. Without colour it alone tells forward from
// backward; with colour the background does.
std::string fill(Doing doing, const Style& style) {
  const bool u = style.unicode;
  switch (doing) {
    case Doing::waiting:
      return u ? "\u00b7" : ".";
    case Doing::exchange:
      return "~";
    case Doing::forward:
      return style.colour ? " " : u ? "\u2500" : "-";
    case Doing::backward:
      return style.colour ? " " : u ? "\u2550" : "=";
    case Doing::both:
      return style.colour ? " " : "+";
    case Doing::optimizer:
      return style.colour ? " " : "#";
  }
  return " ";
}

Paint paint_of(Doing doing, std::int32_t chunk) {
  const bool light = chunk % 2 == 1;
  switch (doing) {
    case Doing::waiting:
      return Paint::faint;
    case Doing::exchange:
      return Paint::exchange;
    case Doing::forward:
      return light ? Paint::forward_light : Paint::forward;
    case Doing::backward:
      return light ? Paint::backward_light : Paint::backward;
    case Doing::both:
      return Paint::mixed;
    case Doing::optimizer:
      return Paint::optimizer;
  }
  return Paint::plain;
}

// As much of "12b" (microbatch and chunk) as leaves room for one fill character: "12b-", "12-",
// "2-".
std::string label(const TimelineCell& cell, bool chunks) {
  if (cell.doing == Doing::optimizer) return cell.columns >= 3 ? "opt" : "";
  if (cell.microbatch < 0) return "";
  const std::string number = std::to_string(cell.microbatch);
  const std::string full =
      number + (chunks ? std::string(1, static_cast<char>('a' + cell.chunk % 26)) : "");
  const auto room = static_cast<std::size_t>(cell.columns - 1);
  if (full.size() <= room) return full;
  if (number.size() <= room) return number;
  return room > 0 ? number.substr(number.size() - 1) : "";
}

std::string drawn(const TimelineCell& cell, bool chunks, const Style& style) {
  std::string text = label(cell, chunks);
  const std::string filling = fill(cell.doing, style);
  for (int i = display_width(text); i < cell.columns; ++i) text += filling;
  return painted(text, paint_of(cell.doing, cell.chunk), style);
}

// 1, 2 or 5 times a power of ten: the smallest such step that `least` fits into.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

// "0 s       100 ms      200 ms      420 ms": each time begins in its column, the last one ends it.
std::string axis(Seconds makespan, int columns) {
  constexpr int room = 12;  // for one time and a gap
  const TimeScale scale(makespan);
  const std::string unit = std::string(" ") + scale.unit(), last = to_text(makespan);
  std::string line = padded_left(last, columns);
  line.replace(0, 1 + unit.size(), "0" + unit);
  if (makespan.value() <= 0) return line;
  const double per_column = scale.count(makespan) / columns;
  const double step = round_step(per_column * room);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  for (int i = 1; i < columns; ++i) {
    const auto at = static_cast<std::size_t>(std::lround(i * step / per_column));
    const std::string text = fixed(i * step, decimals) + unit;
    if (at + text.size() + 2 > line.size() - last.size()) break;
    line.replace(at, text.size(), text);
  }
  return line;
}

std::vector<std::int32_t> evenly_spaced(std::int32_t ranks, int most) {
  std::vector<std::int32_t> chosen;
  const std::int32_t count = std::min<std::int32_t>(ranks, most);
  for (std::int32_t i = 0; i < count; ++i) {
    chosen.push_back(count == 1 ? 0
                                : static_cast<std::int32_t>(static_cast<std::int64_t>(i) *
                                                            (ranks - 1) / (count - 1)));
  }
  return chosen;
}

struct Facts {
  std::int32_t ranks = 0;
  bool chunks = false;
};

Facts facts_of(const graph::OpGraph& graph) {
  Facts facts;
  for (const graph::Op& op : graph.ops()) {
    if (op.stream != Stream::compute) continue;
    facts.ranks = std::max(facts.ranks, op.rank + 1);
    facts.chunks = facts.chunks || op.chunk > 0;
  }
  return facts;
}

std::string legend_item(Doing doing, const TimelineRows& rows, bool chunks, const Style& style) {
  const bool numbered = rows.single_blocks && (doing == Doing::forward || doing == Doing::backward);
  TimelineCell sample{.doing = doing, .columns = numbered ? (chunks ? 4 : 3) : 1};
  if (numbered) sample.microbatch = 0;
  if (doing == Doing::optimizer) sample.columns = 3;
  const std::string look = drawn(sample, chunks, style);
  switch (doing) {
    case Doing::waiting:
      return look + " waiting";
    case Doing::exchange:
      return look + " waiting for gradients or weights";
    case Doing::forward:
      return look + " forward";
    case Doing::backward:
      return look + " backward";
    case Doing::both:
      return look + " both";
    case Doing::optimizer:
      return look + " optimizer";
  }
  return look;
}

// What of the picture needs a word, and the number that it shows.
std::string legend(const TimelineRows& rows, const Facts& facts, const TimelineOptions& options,
                   Seconds column, const std::string& indent, const Style& style) {
  std::set<Doing> present;
  for (const TimelineRow& row : rows.rows) {
    for (const TimelineCell& cell : row.cells) present.insert(cell.doing);
  }
  const std::string gap = "   ";
  std::string items;
  for (const Doing doing : {Doing::forward, Doing::backward, Doing::both, Doing::optimizer,
                            Doing::exchange, Doing::waiting}) {
    if (!present.contains(doing)) continue;
    items += (items.empty() ? "" : gap) + legend_item(doing, rows, facts.chunks, style);
  }
  std::string words = "pipeline bubble " + percent(options.bubble_fraction) + " % of the step; ";
  if (!rows.single_blocks) {
    words += "too many blocks for numbers: --trace has each one; ";
  } else {
    words += facts.chunks ? "numbers are microbatches, letters model chunks; "
                          : "numbers are microbatches; ";
  }
  words += "a column is " + to_text(column);
  const auto shown = static_cast<std::int32_t>(rows.rows.size());
  if (shown < facts.ranks) {
    words += "; " + grouped(shown) + " of " + grouped(facts.ranks) + " stages, evenly spaced";
  }
  const int width = style.width - display_width(indent);
  std::string text;
  for (const std::string& line : wrapped(items, width, style, gap)) text += indent + line + "\n";
  for (const std::string& line : wrapped(words, width, style, "; ")) text += indent + line + "\n";
  return text;
}

}  // namespace

std::string timeline_page(const graph::OpGraph& graph, const graph::Timeline& timeline,
                          const TimelineOptions& options, const Style& style) {
  const Facts facts = facts_of(graph);
  const std::vector<std::int32_t> ranks = evenly_spaced(facts.ranks, options.most_rows);
  const auto name_of_rank = [&](std::int32_t rank) {
    const auto r = static_cast<std::size_t>(rank);
    return r < options.rank_names.size() ? printable(options.rank_names[r])
                                         : "stage " + std::to_string(rank);
  };
  int name_width = 0;
  for (const std::int32_t rank : ranks) {
    name_width = std::max(name_width, display_width(name_of_rank(rank)));
  }
  name_width = std::min(name_width, style.width / 4);
  const std::string indent(static_cast<std::size_t>(name_width + 5), ' ');
  const std::string border = style.unicode ? "\u2502" : "|";
  const int columns = style.width - static_cast<int>(indent.size()) - 1;

  const TimelineRows rows = timeline_rows(graph, timeline, ranks, columns);
  std::string page = indent + axis(timeline.makespan, columns) + "\n";
  for (const TimelineRow& row : rows.rows) {
    const std::string name = shortened(name_of_rank(row.rank), name_width, style);
    page += "  " + padded_right(name, name_width) + "  " + border;
    for (const TimelineCell& cell : row.cells) page += drawn(cell, facts.chunks, style);
    page += border + "\n";
  }
  return page + legend(rows, facts, options, timeline.makespan / columns, indent, style);
}

}  // namespace flotilla::report
