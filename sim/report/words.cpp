#include "sim/report/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sim/units/text.h"

namespace flotilla::report {

std::span<const Part> breakdown_parts() {
  static constexpr std::array parts = {
      Part{"compute", "compute", &Breakdown::compute},
      Part{"recompute", "recomputation", &Breakdown::recompute},
      Part{"bubble", "pipeline bubble", &Breakdown::bubble},
      Part{"tp_exposed", "tensor chatter (tp)", &Breakdown::tp_exposed},
      Part{"cp_exposed", "context chatter (cp)", &Breakdown::cp_exposed},
      Part{"ep_exposed", "expert chatter (ep)", &Breakdown::ep_exposed},
      Part{"pp_exposed", "stage hand-over (pp)", &Breakdown::pp_exposed},
      Part{"dp_exposed", "gradients and weights (dp)", &Breakdown::dp_exposed},
      Part{"optimizer", "optimizer", &Breakdown::optimizer}};
  return parts;
}

const Part* loss_worth_a_hint(const Breakdown& breakdown) {
  constexpr double least_share = 0.05;  // of the step
  const Part* largest = nullptr;
  for (const Part& part : breakdown_parts()) {
    if (part.time == &Breakdown::compute) continue;
    if (largest == nullptr || breakdown.*part.time > breakdown.*largest->time) largest = &part;
  }
  const bool worth = breakdown.*largest->time > least_share * breakdown.total();
  return worth ? largest : nullptr;
}

namespace {

// 7 -> "7", 1.5 -> "1.50".
std::string ratio_text(double ratio) {
  return ratio == std::floor(ratio) ? fixed(ratio, 0) : three_digits(ratio);
}

}  // namespace

TimeScale::TimeScale(Seconds largest) {
  const double s = largest.value();
  const bool minutes = s >= 1000, seconds = s >= 1, milliseconds = s >= 1e-3;
  unit_ = minutes ? "min" : seconds ? "s" : milliseconds ? "ms" : "us";
  in_unit_ = minutes ? 1.0 / 60 : seconds ? 1 : milliseconds ? 1e3 : 1e6;
  const double shown = s * in_unit_;
  decimals_ = shown < 9.995 ? 2 : 1;
}

std::string TimeScale::number(Seconds time) const {
  const double shown = count(time);
  const double smallest = std::pow(10.0, -decimals_);
  if (shown > 0 && shown < smallest / 2) return "<" + fixed(smallest, decimals_);
  return fixed(shown, decimals_);
}

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return three_digits(value);
  std::array<char, 400> buffer;  // the longest double has 309 digits before the point
  // std::to_chars never asks the locale; + 0.0 turns a negative zero into zero.
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0,
                                 std::chars_format::fixed, decimals);
  return {buffer.data(), end.ptr};
}

std::string percent(double share) {
  const double value = share * 100;
  return value > 0 && value < 0.05 ? "<0.1" : fixed(value, 1);
}

std::string counted(double value) {
  constexpr std::array<const char*, 4> names = {"", " M", " B", " T"};
  std::size_t i = 0;
  if (value >= 999500) {
    value /= 1e6;
    for (i = 1; value >= 999.5 && i + 1 < names.size(); ++i) value /= 1e3;
  }
  return three_digits(value) + names[i];
}

double in_gib(Bytes value) { return value.value() / (1024.0 * 1024.0 * 1024.0); }

std::string memory_text(Bytes value) {
  const double gib = in_gib(value);
  return gib >= 1 || gib <= 0 ? three_digits(gib) + " GiB" : three_digits(gib * 1024) + " MiB";
}

std::string memory_use(Bytes used, Bytes capacity) {
  return three_digits(in_gib(used)) + " of " + three_digits(in_gib(capacity)) + " GiB";
}

std::string memory_excess(const Memory& memory) {
  return memory_text(memory.peak - memory.capacity) + " over";
}

const char* name_of(config::ScheduleKind kind) {
  switch (kind) {
    case config::ScheduleKind::gpipe:
      return "gpipe";
    case config::ScheduleKind::one_f_one_b:
      return "1f1b";
    case config::ScheduleKind::interleaved:
      return "interleaved-1f1b";
  }
  return "";
}

const char* name_of(config::Recompute kind) {
  switch (kind) {
    case config::Recompute::none:
      return "none";
    case config::Recompute::selective:
      return "selective";
    case config::Recompute::full:
      return "full";
  }
  return "";
}

const char* name_of(config::Precision kind) {
  switch (kind) {
    case config::Precision::fp32:
      return "fp32";
    case config::Precision::tf32:
      return "tf32";
    case config::Precision::fp16:
      return "fp16";
    case config::Precision::bf16:
      return "bf16";
    case config::Precision::fp8:
      return "fp8";
  }
  return "";
}

const char* name_of(config::Attention kind) {
  return kind == config::Attention::flash ? "flash" : "unfused";
}

const char* name_of(config::AttentionFlops kind) {
  return kind == config::AttentionFlops::full ? "full" : "causal";
}

const char* name_of(config::RankOrder kind) {
  return kind == config::RankOrder::tp_cp_dp_pp ? "tp-cp-dp-pp" : "tp-cp-pp-dp";
}

const char* network_name(config::NetworkKind kind) {
  switch (kind) {
    case config::NetworkKind::clos:
      return "layers of switches";
    case config::NetworkKind::rail:
      return "rails";
    case config::NetworkKind::fat_tree:
      return "fat tree";
    case config::NetworkKind::dragonfly:
      return "dragonfly";
    case config::NetworkKind::torus:
      return "torus";
    case config::NetworkKind::list:
      return "listed switches";
  }
  return "";
}

namespace {

// Networks that are told by their tiers.
bool is_layered(config::NetworkKind kind) {
  return kind == config::NetworkKind::clos || kind == config::NetworkKind::rail;
}

}  // namespace

std::int64_t servers_used(const config::Scenario& s) {
  const std::int64_t each = std::max<std::int64_t>(1, s.platform.node.gpus);
  return (s.layout.gpus + each - 1) / each;
}

std::string machine_line(const config::Scenario& s, const Style& style) {
  const std::int64_t servers = servers_used(s);
  const std::string times = style.unicode ? " \u00d7 " : " x ";
  std::string line = printable(s.model.name) + " in " + name_of(s.training.precision) + " on " +
                     grouped(s.layout.gpus) + times + printable(s.platform.gpu.name) + " (";
  if (servers <= 1) {
    line +=
        s.layout.gpus > 1 ? "one server, " + printable(s.platform.node.link.name) : "one server";
    return line + ")";
  }
  line += grouped(servers) + " servers, " + printable(s.platform.node.nic.name);
  if (!is_layered(s.platform.network.kind))
    line += std::string(", ") + network_name(s.platform.network.kind);
  for (const config::Tier& tier : s.platform.tiers) {
    if (tier.nodes >= servers) break;  // nothing leaves this layer upwards
    line += ", " + printable(tier.name) + "s of " + grouped(tier.nodes * s.platform.node.gpus);
    if (tier.oversubscription > 1) line += " at 1:" + ratio_text(tier.oversubscription);
  }
  return line + ")";
}

std::vector<std::string> layout_lines(const config::Scenario& s, const Style& style) {
  const config::Layout& layout = s.layout;
  const std::string dot = style.unicode ? " \u00b7 " : " . ";
  const std::string times = style.unicode ? " \u00d7 " : " x ";
  std::string line = "tp " + grouped(layout.tp);
  if (layout.sequence_parallel && layout.tp > 1) line += " + sp";
  if (layout.cp > 1) line += dot + "cp " + grouped(layout.cp);
  line += dot + "pp " + grouped(layout.pp);
  if (layout.vpp > 1) line += times + grouped(layout.vpp) + " virtual";
  line += dot + "dp " + grouped(layout.dp) + dot + "zero " + std::to_string(layout.zero);
  if (layout.pp > 1) line += dot + name_of(layout.schedule);
  if (layout.recompute != config::Recompute::none) {
    line += dot + "recompute " + name_of(layout.recompute);
  }
  const std::int64_t m = s.microbatches();
  line += dot + grouped(m) + (m == 1 ? " microbatch of " : " microbatches of ") +
          grouped(s.training.micro_batch) + times + grouped(s.training.sequence_length) + " tokens";
  return wrapped(line, style.width, style, dot);
}

std::vector<std::string> stage_names(const Summary& summary) {
  const config::Scenario& scenario = summary.scenario;
  const bool desktop = scenario.platform.node.nics == 0 && scenario.layout.gpus <= 8 &&
                       scenario.layout.gpus == scenario.layout.pp;
  std::vector<std::string> names;
  for (std::int64_t stage = 0; stage < scenario.layout.pp; ++stage) {
    names.push_back(desktop ? std::string("card ") + static_cast<char>('A' + stage)
                            : "stage " + std::to_string(stage));
  }
  return names;
}

}  // namespace flotilla::report
