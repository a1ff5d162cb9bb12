#include "sim/report/settings.h"

#include <algorithm>

#include "sim/report/words.h"
#include "sim/units/text.h"

namespace flotilla::report {

namespace {

struct Setting {
  std::string path;
  std::string text;
};
using Settings = std::vector<Setting>;

std::string yes_no(bool value) { return value ? "true" : "false"; }

// 7, 8, 8, 8 -> "7, 3 x 8".
std::string run_lengths(const std::vector<std::int64_t>& values) {
  std::string text;
  for (auto run = values.begin(); run != values.end();) {
    const auto end = std::find_if(run, values.end(), [&](std::int64_t v) { return v != *run; });
    if (!text.empty()) text += ", ";
    if (end - run > 1) text += std::to_string(end - run) + " x ";
    text += std::to_string(*run);
    run = end;
  }
  return text;
}

void add_layout(Settings& all, const config::Layout& l) {
  all.push_back({"layout.gpus", grouped(l.gpus)});
  all.push_back({"layout.tp", grouped(l.tp)});
  all.push_back({"layout.pp", grouped(l.pp)});
  all.push_back({"layout.vpp", grouped(l.vpp)});
  all.push_back({"layout.cp", grouped(l.cp)});
  all.push_back({"layout.dp", grouped(l.dp)});
  all.push_back({"layout.zero", std::to_string(l.zero)});
  all.push_back({"layout.schedule", name_of(l.schedule)});
  all.push_back({"layout.sequence_parallel", yes_no(l.sequence_parallel)});
  all.push_back({"layout.recompute", name_of(l.recompute)});
  all.push_back({"layout.rank_order", name_of(l.rank_order)});
  all.push_back({"layout.overlap_gradients", yes_no(l.overlap_gradients)});
  all.push_back({"layout.overlap_parameters", yes_no(l.overlap_parameters)});
  all.push_back({"layout.overlap_p2p", yes_no(l.overlap_p2p)});
  all.push_back({"layout.gradient_bucket", to_text(l.gradient_bucket)});
}

void add_training(Settings& all, const config::Training& t) {
  all.push_back({"training.global_batch", grouped(t.global_batch)});
  all.push_back({"training.micro_batch", grouped(t.micro_batch)});
  all.push_back({"training.sequence_length", grouped(t.sequence_length)});
  all.push_back({"training.precision", name_of(t.precision)});
  all.push_back({"training.gradient_precision", name_of(t.gradient_precision)});
  all.push_back({"training.attention", name_of(t.attention)});
  all.push_back({"training.attention_flops", name_of(t.attention_flops)});
  all.push_back({"training.total_tokens", t.total_tokens > 0 ? counted(t.total_tokens) : "-"});
}

void add_model_figures(Settings& all, const config::Model& m) {
  all.push_back({"model.layers", grouped(m.layers)});
  all.push_back({"model.hidden", grouped(m.hidden)});
  all.push_back({"model.heads", grouped(m.heads)});
  all.push_back({"model.kv_heads", grouped(m.kv_heads)});
  all.push_back({"model.head_dim", grouped(m.head_dim)});
  all.push_back({"model.ffn", grouped(m.ffn)});
  all.push_back({"model.vocab", grouped(m.vocab)});
  all.push_back({"model.tied_embeddings", yes_no(m.tied_embeddings)});
  all.push_back({"model.dropout", yes_no(m.dropout)});
}

void add_link(Settings& all, const std::string& path, const config::Link& link) {
  all.push_back({path + ".name", printable(link.name)});
  all.push_back({path + ".bandwidth", to_text(link.bandwidth)});
  all.push_back({path + ".efficiency", three_digits(link.efficiency)});
  all.push_back({path + ".latency", to_text(link.latency)});
}

void add_platform_figures(Settings& all, const config::Platform& p) {
  all.push_back({"platform.gpu.name", printable(p.gpu.name)});
  all.push_back({"platform.gpu.memory", memory_text(p.gpu.memory)});
  all.push_back({"platform.gpu.memory_bandwidth", to_text(p.gpu.memory_bandwidth)});
  std::string peaks;
  for (const auto& [precision, rate] : p.gpu.peak) {
    peaks += (peaks.empty() ? "" : ", ") + std::string(name_of(precision)) + " " + to_text(rate);
  }
  all.push_back({"platform.gpu.peak", peaks});
  all.push_back({"platform.gpu.gemm.efficiency", three_digits(p.gpu.gemm.efficiency)});
  all.push_back({"platform.nodes", grouped(p.nodes)});
  all.push_back({"platform.node.gpus", grouped(p.node.gpus)});
  add_link(all, "platform.node.link", p.node.link);
  all.push_back({"platform.node.nics", grouped(p.node.nics)});
  add_link(all, "platform.node.nic", p.node.nic);
  std::string tiers;
  for (const config::Tier& tier : p.tiers) {
    tiers += (tiers.empty() ? "" : ", ") + printable(tier.name) + " of " + grouped(tier.nodes) +
             " at 1:" + three_digits(tier.oversubscription);
  }
  all.push_back({"platform.tiers", tiers});
  all.push_back(
      {"platform.network", std::string(network_name(p.network.kind)) +
                               (p.network.balance == config::Balance::hash ? ", by hash" : "")});
  all.push_back({"platform.library.name", printable(p.library.name)});
}

Settings settings_of(const config::Scenario& s, bool model_figures, bool platform_figures,
                     bool stage_layers) {
  Settings all = {{"model", printable(s.model.name)}, {"platform", printable(s.platform.name)}};
  if (model_figures) add_model_figures(all, s.model);
  if (platform_figures) add_platform_figures(all, s.platform);
  add_layout(all, s.layout);
  if (stage_layers) all.push_back({"layout.stage_layers", run_lengths(s.layout.stage_layers)});
  add_training(all, s.training);
  return all;
}

}  // namespace

std::vector<Difference> differences(std::span<const config::Scenario> scenarios) {
  const auto all_like_first = [&](const auto& property) {
    return std::all_of(scenarios.begin(), scenarios.end(), [&](const config::Scenario& s) {
      return property(s) == property(scenarios.front());
    });
  };
  const bool same_model = all_like_first([](const auto& s) { return s.model.name; });
  const bool same_platform = all_like_first([](const auto& s) { return s.platform.name; });
  // A split of the layers follows from the number of stages; it is news only where that is the
  // same.
  const bool same_stages = all_like_first([](const auto& s) { return s.layout.virtual_stages(); });
  std::vector<Difference> found;
  for (const config::Scenario& scenario : scenarios) {
    const Settings settings =
        settings_of(scenario, same_model, same_platform, same_model && same_stages);
    found.resize(settings.size());
    for (std::size_t i = 0; i < settings.size(); ++i) {
      found[i].path = settings[i].path;
      found[i].values.push_back(settings[i].text);
    }
  }
  std::erase_if(found, [](const Difference& d) {
    return std::all_of(d.values.begin(), d.values.end(),
                       [&](const std::string& value) { return value == d.values.front(); });
  });
  return found;
}

}  // namespace flotilla::report
