#include "sim/report/timeline_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace flotilla::report {

namespace {

using graph::Op;
using graph::OpId;
using graph::Stream;

constexpr double narrowest_mean_block = 1.5;  // columns; below it single blocks are not drawn
constexpr double pure = 0.85;  // share of the busy time from which a column counts as one kind

constexpr std::size_t kinds = 6;  // of Doing
std::size_t index(Doing doing) { return static_cast<std::size_t>(doing); }

Doing doing_of(const Op& op) {
  if (op.stream == Stream::data) return Doing::exchange;
  switch (op.purpose) {
    case graph::Purpose::backward:
      return Doing::backward;
    case graph::Purpose::optimizer:
      return Doing::optimizer;
    default:
      return Doing::forward;
  }
}

// What one rank does within one column, in columns (1: all of it).
struct Column {
  std::array<double, kinds> share{};
  std::array<OpId, kinds> longest{graph::no_op, graph::no_op, graph::no_op,
                                  graph::no_op, graph::no_op, graph::no_op};
  std::array<double, kinds> longest_share{};

  void add(Doing doing, OpId id, double amount) {
    const std::size_t i = index(doing);
    share[i] += amount;
    if (amount > longest_share[i]) {
      longest_share[i] = amount;
      longest[i] = id;
    }
  }
  [[nodiscard]] double busy() const {
    return share[index(Doing::forward)] + share[index(Doing::backward)] +
           share[index(Doing::optimizer)];
  }
};

using Columns = std::vector<Column>;

void add_span(Columns& columns, Doing doing, OpId id, double begin, double end) {
  const auto last = static_cast<double>(columns.size());
  for (double c = std::floor(begin); c < std::min(end, last); ++c) {
    const double covered = std::min(end, c + 1) - std::max(begin, c);
    columns[static_cast<std::size_t>(c)].add(doing, id, covered);
  }
}

// Of the busy time around a column, the share of the forward blocks: over a few columns, so that
// the picture does not flicker where a block is about as long as a column.
double forward_share(const Columns& columns, std::size_t at) {
  constexpr std::size_t reach = 2;
  double forward = 0, backward = 0;
  for (std::size_t c = at - std::min(at, reach); c <= at + reach && c < columns.size(); ++c) {
    forward += columns[c].share[index(Doing::forward)];
    backward += columns[c].share[index(Doing::backward)];
  }
  return forward + backward > 0 ? forward / (forward + backward) : 0;
}

Doing dominant(const Columns& columns, std::size_t at, bool single_blocks) {
  const Column& column = columns[at];
  constexpr double half = 0.5 - 1e-9;  // a block that ends in the middle of a column keeps it
  if (column.busy() < half) {
    return column.share[index(Doing::exchange)] >= half ? Doing::exchange : Doing::waiting;
  }
  const double forward = column.share[index(Doing::forward)];
  const double backward = column.share[index(Doing::backward)];
  if (column.share[index(Doing::optimizer)] > std::max(forward, backward)) return Doing::optimizer;
  if (!single_blocks) {
    const double share = forward_share(columns, at);
    return share >= pure ? Doing::forward : share <= 1 - pure ? Doing::backward : Doing::both;
  }
  return forward > backward ? Doing::forward : Doing::backward;
}

std::vector<TimelineCell> cells_of(const Columns& columns, const graph::OpGraph& graph,
                                   bool single_blocks) {
  std::vector<TimelineCell> cells;
  OpId previous = graph::no_op;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Column& column = columns[c];
    const Doing doing = dominant(columns, c, single_blocks);
    const bool is_block = doing == Doing::forward || doing == Doing::backward;
    const OpId id = single_blocks && is_block ? column.longest[index(doing)] : graph::no_op;
    if (cells.empty() || cells.back().doing != doing || id != previous) {
      TimelineCell cell{.doing = doing};
      if (id != graph::no_op) {
        cell.microbatch = graph.op(id).microbatch;
        cell.chunk = graph.op(id).chunk;
      }
      cells.push_back(cell);
    }
    ++cells.back().columns;
    previous = id;
  }
  return cells;
}

}  // namespace

TimelineRows timeline_rows(const graph::OpGraph& graph, const graph::Timeline& timeline,
                           const std::vector<std::int32_t>& ranks, int columns) {
  std::map<std::int32_t, Columns> by_rank;
  for (const std::int32_t rank : ranks) by_rank[rank].resize(static_cast<std::size_t>(columns));
  const double per_second = timeline.makespan.value() > 0 ? columns / timeline.makespan.value() : 0;
  double block_columns = 0;
  std::size_t blocks = 0;
  for (OpId id = 0; id < static_cast<OpId>(graph.size()); ++id) {
    const Op& op = graph.op(id);
    const auto row = by_rank.find(op.rank);
    const bool shown = op.stream == Stream::compute || op.stream == Stream::data;
    if (row == by_rank.end() || !shown) continue;
    const double begin = timeline.at(id).start.value() * per_second;
    const double end = timeline.at(id).end.value() * per_second;
    add_span(row->second, doing_of(op), id, begin, end);
    if (op.stream == Stream::compute && op.microbatch >= 0) {
      block_columns += end - begin;
      ++blocks;
    }
  }
  TimelineRows result;
  result.single_blocks = block_columns >= narrowest_mean_block * static_cast<double>(blocks);
  for (const std::int32_t rank : ranks) {
    result.rows.push_back({rank, cells_of(by_rank[rank], graph, result.single_blocks)});
  }
  return result;
}

}  // namespace flotilla::report
