// The words and numbers that all reports share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/report/style.h"
#include "sim/report/summary.h"

namespace flotilla::report {

// One line of "where a step goes".
struct Part {
  const char* key;    // of the output contract: "tp_exposed"
  const char* label;  // for people: "tensor chatter (tp)"
  Seconds Breakdown::*time;
};
// In the order in which pages print them.
std::span<const Part> breakdown_parts();
// The part other than computing that takes most of a step; nullptr when it is hardly worth a word.
const Part* loss_worth_a_hint(const Breakdown& breakdown);

// The unit and the decimals in which a column of durations is printed, so that its rows can be
// added by eye: chosen for the largest of them, at least three digits of which are shown.
class TimeScale {
 public:
  explicit TimeScale(Seconds largest);
  [[nodiscard]] const char* unit() const { return unit_; }
  [[nodiscard]] double count(Seconds time) const { return time.value() * in_unit_; }
  // Without the unit. What is not zero but too small to show is "<0.01".
  [[nodiscard]] std::string number(Seconds time) const;

 private:
  const char* unit_;
  double in_unit_;
  int decimals_;
};

std::string fixed(double value, int decimals);
// 0.406 -> "40.6"; "<0.1" for what is smaller but not nothing.
std::string percent(double share);
// 3280000 -> "3.28 M", 15.6e12 -> "15.6 T", 200 -> "200".
std::string counted(double value);

// Memory as nvidia-smi and torch print it. "61.8 GiB", "512 MiB".
std::string memory_text(Bytes value);
double in_gib(Bytes value);
// "61.8 of 79.1 GiB".
std::string memory_use(Bytes used, Bytes capacity);
// "12.3 GiB over".
std::string memory_excess(const Memory& memory);

// The spelling that the input files use.
const char* name_of(config::ScheduleKind kind);
const char* name_of(config::Recompute kind);
const char* name_of(config::Precision kind);
const char* name_of(config::Attention kind);
const char* name_of(config::AttentionFlops kind);
const char* name_of(config::RankOrder kind);
// For people: "fat tree".
const char* network_name(config::NetworkKind kind);

// "Llama-3.1 405B in bf16 on 16,384 x H100-80GB (2,048 servers, RoCE, pods of 3,072)".
std::string machine_line(const config::Scenario& scenario, const Style& style);
// "tp 8 . pp 16 x 8 virtual . dp 128 . ... . 16 microbatches of 1 x 8,192 tokens", in lines that
// fit.
std::vector<std::string> layout_lines(const config::Scenario& scenario, const Style& style);
// What pages call the pipeline ranks: "card A", "card B" where each is a GPU of one box on a desk,
// "stage 0", "stage 1", ... elsewhere.
std::vector<std::string> stage_names(const Summary& summary);
// Servers that the layout occupies.
std::int64_t servers_used(const config::Scenario& scenario);

}  // namespace flotilla::report
