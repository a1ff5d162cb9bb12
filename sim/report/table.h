// A table of text cells that fits a width: it gives up its least important columns first.
#pragma once

#include <string>
#include <vector>

#include "sim/report/style.h"

namespace flotilla::report {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
  int spare = 0;  // 0: always shown; the highest goes first when the width does not suffice
};

struct Cell {
  std::string text;
  Paint paint = Paint::plain;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // a row may be shorter than the columns

  // Lines indented by two columns, each ended by a newline, none wider than the style.
  [[nodiscard]] std::string to_text(const Style& style) const;
};

}  // namespace flotilla::report
