#include "tests/report/samples.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "sim/report/style.h"

namespace flotilla::test {

using namespace flotilla::literals;

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

report::StageMemory stage_memory(std::int64_t stage, double parameters, double gradients,
                                 double optimizer, double activations) {
  return {.stage = stage,
          .layers = 8,
          .parameters = 3.1e9,
          .parameters_bytes = Bytes(parameters * gib),
          .gradients_bytes = Bytes(gradients * gib),
          .optimizer_bytes = Bytes(optimizer * gib),
          .activations_bytes = Bytes(activations * gib),
          .peak_bytes = Bytes((parameters + gradients + optimizer + activations) * gib)};
}

config::Scenario desktop(std::int64_t cards) {
  config::Scenario s;
  s.name = cards == 1 ? "one-card" : "two-cards";
  s.model.name = "GPT 1.3B";
  s.platform.name = "desktop";
  s.platform.nodes = 1;
  s.platform.gpu.name = "RTX 4090";
  s.platform.node = {.gpus = 2, .fabric = config::NodeFabric::pcie, .link = {.name = "PCIe 4 x16"}};
  s.layout.gpus = cards;
  s.layout.tp = cards;
  s.layout.stage_layers = {24};
  s.training = {.global_batch = 8, .micro_batch = 1, .sequence_length = 2048};
  return s;
}

void derive(report::Summary& s, double peak_flops) {
  s.step = s.breakdown.total();
  const auto& t = s.scenario.training;
  s.tokens_per_s = static_cast<double>(t.global_batch * t.sequence_length) / s.step.value();
  s.tokens_per_s_per_gpu = s.tokens_per_s / static_cast<double>(s.scenario.layout.gpus);
  s.flops_per_gpu = FlopsPerSecond(6 * s.parameters * s.tokens_per_s_per_gpu);
  s.mfu = s.flops_per_gpu.value() / peak_flops;
  s.hfu = s.mfu;
  s.bubble_fraction = s.breakdown.bubble / s.step;
}

}  // namespace

report::Summary large_run() {
  report::Summary s;
  config::Scenario& c = s.scenario;
  c.name = "llama3-405b-16k-h100";
  c.model.name = "Llama-3.1 405B";
  c.platform.name = "grand-teton-roce";
  c.platform.nodes = 3072;
  c.platform.gpu.name = "H100-80GB";
  c.platform.node = {.gpus = 8, .link = {.name = "NVLink 4"}, .nics = 8, .nic = {.name = "RoCE"}};
  c.platform.tiers = {{.name = "pod", .nodes = 384, .oversubscription = 7},
                      {.name = "cluster", .nodes = 3072}};
  c.layout.gpus = 16384;
  c.layout.tp = 8;
  c.layout.pp = 16;
  c.layout.vpp = 8;
  c.layout.dp = 128;
  c.layout.zero = 1;
  c.layout.schedule = config::ScheduleKind::interleaved;
  c.layout.sequence_parallel = true;
  c.layout.stage_layers.assign(128, 1);
  c.training = {.global_batch = 2048, .micro_batch = 1, .sequence_length = 8192};
  c.training.total_tokens = 15.6e12;
  c.assumptions = {"flash attention (training.attention: unfused changes it)",
                   "gradients kept and reduced in fp32 (training.gradient_precision changes it)"};
  s.parameters = 405e9;
  s.breakdown = {.compute = 3.31_s,
                 .tp_exposed = 0.62_s,
                 .pp_exposed = 0.12_s,
                 .dp_exposed = 0.28_s,
                 .bubble = 0.71_s,
                 .optimizer = 0.08_s};
  derive(s, 989e12);
  s.collectives = {
      {"tp", "all_gather", "ring", "NVLink", 8, 134_GB / 1000, 402_us, 333_GBps, 291_GBps, 4032, 0},
      {"dp", "reduce_scatter", "ring", "network, 1:7", 128, 1_GB, 25.2_us * 1000, 39.7_GBps,
       39.4_GBps, 13, 0.81},
      {"pp", "send", "p2p", "network", 2, 16.8_GB / 1000, 370_us, 45.4_GBps, 45.4_GBps, 256, 0.9}};
  s.memory.capacity = Bytes(79.1 * gib);
  for (int i = 0; i < 16; ++i) {
    const bool ends = i == 0 || i == 15;
    s.memory.stages.push_back(
        stage_memory(i, ends ? 6.36 : 5.9, ends ? 12.7 : 11.8, 0.3, 40.0 - 1.5 * i));
  }
  s.memory.peak = s.memory.stages.front().peak_bytes;
  s.memory.fits = true;
  s.engine = {"folded", 16, 123456, 1.25, 2.5e8};
  return s;
}

report::Summary one_card() {
  report::Summary s;
  s.scenario = desktop(1);
  s.parameters = 1.3e9;
  s.breakdown = {.compute = 1.90_s, .optimizer = 0.02_s};
  derive(s, 165e12);
  s.memory.capacity = Bytes(23.5 * gib);
  s.memory.stages = {stage_memory(0, 2.4, 4.8, 14.5, 4.9)};
  s.memory.peak = s.memory.stages.front().peak_bytes;
  s.memory.fits = false;
  s.engine = {"folded", 1, 40, 0.01, 2.5e7};
  return s;
}

report::Summary two_cards() {
  report::Summary s = one_card();
  s.scenario = desktop(2);
  s.breakdown = {.compute = 0.96_s, .tp_exposed = 0.74_s, .optimizer = 0.01_s};
  derive(s, 165e12);
  s.memory.stages = {stage_memory(0, 1.2, 2.4, 7.2, 2.9)};
  s.memory.peak = s.memory.stages.front().peak_bytes;
  s.memory.fits = true;
  return s;
}

report::Style plain(int width) { return {.colour = false, .unicode = false, .width = width}; }
report::Style fancy(int width) { return {.colour = true, .unicode = true, .width = width}; }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
}

std::string without_escapes(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
      continue;
    }
    result += text[i];
  }
  return result;
}

graph::OpId HandMadeStep::add(const graph::Op& op, double start, double end,
                              const std::vector<graph::OpId>& after) {
  timeline.spans.push_back({Seconds(start), Seconds(end)});
  timeline.makespan = std::max(timeline.makespan, Seconds(end));
  return graph.add(op, after);
}

namespace {

// The order of 1f1b: as many forward blocks ahead as there are stages below, then one of each.
std::vector<std::pair<bool, int>> order_of_stage(int stage, int stages, int microbatches) {
  std::vector<std::pair<bool, int>> order;  // (is backward, microbatch)
  int forward = 0, backward = 0;
  while (backward < microbatches) {
    const int ahead = std::min(microbatches, backward + stages - stage);
    if (forward < ahead) {
      order.emplace_back(false, forward++);
    } else {
      order.emplace_back(true, backward++);
    }
  }
  return order;
}

}  // namespace

HandMadeStep pipeline(int stages, int microbatches) {
  HandMadeStep step;
  const std::int32_t profile = step.graph.add_profile(
      {.name = "block",
       .compute = 1_s,
       .segments = {{"qkv", graph::Stream::compute, Seconds(0), Seconds(0.5), 0},
                    {"all-gather", graph::Stream::tensor, Seconds(0.5), Seconds(0.25), 0},
                    {"mlp", graph::Stream::compute, Seconds(0.75), Seconds(0.25), 0}}});
  std::map<std::tuple<int, bool, int>, std::pair<double, graph::OpId>> done;  // end, operation
  std::vector<std::vector<std::pair<bool, int>>> orders;
  for (int s = 0; s < stages; ++s) orders.push_back(order_of_stage(s, stages, microbatches));
  std::vector<std::size_t> next(orders.size(), 0);
  std::vector<double> free_at(orders.size(), 0);
  for (bool progress = true; progress;) {
    progress = false;
    for (int s = 0; s < stages; ++s) {
      const auto i = static_cast<std::size_t>(s);
      if (next[i] == orders[i].size()) continue;
      const auto [backward, m] = orders[i][next[i]];
      const int from = backward ? s + 1 : s - 1;
      const bool remote = from >= 0 && from < stages;
      if (remote && !done.contains({from, backward, m})) continue;
      double start = free_at[i];
      std::vector<graph::OpId> after;
      if (remote) {
        const auto [end, id] = done[{from, backward, m}];
        const graph::Op send{
            .purpose = backward ? graph::Purpose::gradient_send : graph::Purpose::activation_send,
            .stream = graph::Stream::pipeline,
            .rank = from,
            .microbatch = m};
        after.push_back(step.add(send, end, end, {id}));
        start = std::max(start, end);
      }
      const double end = start + (backward ? 2 : 1);
      const graph::Op block{
          .purpose = backward ? graph::Purpose::backward : graph::Purpose::forward,
          .rank = s,
          .microbatch = m,
          .profile = profile,
          .duration = Seconds(end - start)};
      done[{s, backward, m}] = {end, step.add(block, start, end, after)};
      free_at[i] = end;
      ++next[i];
      progress = true;
    }
  }
  const double end = *std::max_element(free_at.begin(), free_at.end());
  for (int s = 0; s < stages; ++s) {
    step.add({.purpose = graph::Purpose::optimizer, .rank = s}, end, end + 1);
  }
  return step;
}

}  // namespace flotilla::test
