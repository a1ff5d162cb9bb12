#include "sim/report/memory_table.h"

#include <algorithm>
#include <vector>

#include "sim/report/table.h"
#include "sim/report/words.h"
#include "sim/units/text.h"

namespace flotilla::report {

namespace {

constexpr std::size_t most_rows = 8;

// Neighbouring stages that hold the same, apart from activations between two bounds.
struct Run {
  const StageMemory* first;
  const StageMemory* last;
  const StageMemory* least;  // activations
  const StageMemory* most;
};

bool same_state(const StageMemory& a, const StageMemory& b) {
  return a.layers == b.layers && a.parameters_bytes == b.parameters_bytes &&
         a.gradients_bytes == b.gradients_bytes && a.optimizer_bytes == b.optimizer_bytes;
}

std::vector<Run> runs_of(const std::vector<StageMemory>& stages, bool merge_activations) {
  std::vector<Run> runs;
  for (const StageMemory& stage : stages) {
    const bool joins =
        !runs.empty() && same_state(*runs.back().last, stage) &&
        (merge_activations || runs.back().last->activations_bytes == stage.activations_bytes);
    if (!joins) {
      runs.push_back({&stage, &stage, &stage, &stage});
      continue;
    }
    Run& run = runs.back();
    run.last = &stage;
    if (stage.activations_bytes < run.least->activations_bytes) run.least = &stage;
    if (stage.activations_bytes > run.most->activations_bytes) run.most = &stage;
  }
  return runs;
}

std::string range(const std::string& low, const std::string& high) {
  return low == high ? low : low + "-" + high;
}

// Keeps the fullest runs, in the order of the stages; gives back the fullest of those left out.
const StageMemory* keep_fullest(std::vector<Run>& runs, std::size_t count) {
  if (runs.size() <= count) return nullptr;
  const auto fuller = [](const Run& a, const Run& b) {
    return a.most->peak_bytes > b.most->peak_bytes;
  };
  std::stable_sort(runs.begin(), runs.end(), fuller);
  const StageMemory* fullest_left_out = runs[count].most;
  runs.resize(count);
  std::sort(runs.begin(), runs.end(),
            [](const Run& a, const Run& b) { return a.first->stage < b.first->stage; });
  return fullest_left_out;
}

}  // namespace

std::string memory_table(const Memory& memory, const Style& style) {
  std::vector<Run> runs = runs_of(memory.stages, false);
  if (runs.size() > most_rows) runs = runs_of(memory.stages, true);
  const StageMemory* left_out = keep_fullest(runs, most_rows);

  int decimals = in_gib(memory.peak) < 9.995 ? 2 : 1;
  const auto gib = [&](Bytes bytes) { return fixed(in_gib(bytes), decimals); };
  Table table;
  table.columns = {{"Memory by stage, GiB", Align::left, 0},
                   {"layers", Align::right, 5},
                   {"parameters", Align::right, 2},
                   {"gradients", Align::right, 3},
                   {"optimizer", Align::right, 4},
                   {"activations", Align::right, 1},
                   {"peak", Align::right, 0}};
  for (const Run& run : runs) {
    const bool over = run.most->peak_bytes > memory.capacity;
    table.rows.push_back(
        {{range(grouped(run.first->stage), grouped(run.last->stage))},
         {grouped(run.first->layers)},
         {gib(run.first->parameters_bytes)},
         {gib(run.first->gradients_bytes)},
         {gib(run.first->optimizer_bytes)},
         {range(gib(run.least->activations_bytes), gib(run.most->activations_bytes))},
         {range(gib(run.least->peak_bytes), gib(run.most->peak_bytes)),
          over ? Paint::bad : Paint::plain}});
  }
  std::string text = table.to_text(style);
  if (left_out != nullptr) {
    text += "  " +
            shortened("the other stages hold " + gib(left_out->peak_bytes) + " or less",
                      style.width - 2, style) +
            "\n";
  }
  return text;
}

}  // namespace flotilla::report
