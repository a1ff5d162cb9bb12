// `--timeline`: the step as a picture of characters, one row a pipeline stage.
#pragma once

#include <string>
#include <vector>

#include "sim/graph/op_graph.h"
#include "sim/graph/timeline.h"
#include "sim/report/style.h"

namespace flotilla::report {

struct TimelineOptions {
  std::vector<std::string> rank_names;  // by rank; missing ones are "stage 0", "stage 1", ...
  double bubble_fraction = 0;           // of the Summary
  int most_rows = 16;                   // more ranks than that: evenly spaced ones are shown
};

std::string timeline_page(const graph::OpGraph& graph, const graph::Timeline& timeline,
                          const TimelineOptions& options, const Style& style);

}  // namespace flotilla::report
