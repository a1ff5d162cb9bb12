#include "sim/report/table.h"

#include <algorithm>

namespace flotilla::report {

namespace {

constexpr int indent = 2;
constexpr int gap = 2;

// Which columns are shown, and how wide.
struct Shown {
  std::size_t column;
  int width;
};

std::vector<Shown> natural_widths(const Table& table) {
  std::vector<Shown> shown;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    int width = display_width(table.columns[c].title);
    for (const auto& row : table.rows) {
      if (c < row.size()) width = std::max(width, display_width(row[c].text));
    }
    if (width > 0) shown.push_back({c, width});
  }
  return shown;
}

int total_width(const std::vector<Shown>& shown) {
  int total = indent - gap;
  for (const Shown& s : shown) total += s.width + gap;
  return total;
}

// Drops spare columns, then shortens the widest of those that remain.
std::vector<Shown> fitting(const Table& table, int width) {
  std::vector<Shown> shown = natural_widths(table);
  const auto spare = [&](const Shown& s) { return table.columns[s.column].spare; };
  while (total_width(shown) > width) {
    const auto last =
        std::max_element(shown.begin(), shown.end(),
                         [&](const Shown& a, const Shown& b) { return spare(a) < spare(b); });
    if (last == shown.end() || spare(*last) == 0) break;
    shown.erase(last);
  }
  while (total_width(shown) > width) {
    const auto widest =
        std::max_element(shown.begin(), shown.end(),
                         [](const Shown& a, const Shown& b) { return a.width < b.width; });
    if (widest == shown.end() || widest->width <= 3) break;
    --widest->width;
  }
  return shown;
}

std::string line_of(const std::vector<Cell>& cells, const std::vector<Shown>& shown,
                    const std::vector<Column>& columns, const Style& style) {
  std::string line(indent, ' ');
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto [c, width] = shown[i];
    const Cell cell = c < cells.size() ? cells[c] : Cell{};
    const std::string text = painted(shortened(cell.text, width, style), cell.paint, style);
    line += columns[c].align == Align::left ? padded_right(text, width) : padded_left(text, width);
    if (i + 1 < shown.size()) line += std::string(gap, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string Table::to_text(const Style& style) const {
  const std::vector<Shown> shown = fitting(*this, style.width);
  std::vector<Cell> titles;
  for (const Column& column : columns) titles.push_back({column.title, Paint::strong});
  std::string text = line_of(titles, shown, columns, style);
  for (const auto& row : rows) text += line_of(row, shown, columns, style);
  return text;
}

}  // namespace flotilla::report
