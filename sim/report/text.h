// The page of `flotilla run`.
#pragma once

#include <string>

#include "sim/report/style.h"
#include "sim/report/summary.h"

namespace flotilla::report {

// What is trained on what; whether it fits, how long a step is, where the time goes, what was
// assumed.
std::string run_page(const Summary& summary, const Style& style);

// What the person asked for beside the page.
struct Shown {
  bool timeline = false;
  bool trace = false;
};

// What to try (summary.advice) and where to look next: lines that belong on stderr, below the page.
std::string run_hints(const Summary& summary, const Style& style, const Shown& shown = {});

}  // namespace flotilla::report
