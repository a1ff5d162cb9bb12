#include "sim/step/advice.h"

#include <algorithm>
#include <utility>

#include "sim/layout/memory.h"
#include "sim/report/words.h"
#include "sim/step/step_graph.h"

namespace flotilla::step {

namespace {

std::string setting(const std::string& path, std::int64_t value) {
  return path + "=" + std::to_string(value);
}

std::string doubled_batch(const config::Scenario& s) {
  return setting("training.global_batch", s.training.global_batch * 2);
}

// Flash attention keeps no scores, so there is nothing that selective recomputation could leave
// out.
bool selective_saves_memory(const config::Scenario& s) {
  return s.training.attention == config::Attention::unfused;
}

// Single changes that take less memory: those that cost least time come first.
std::vector<std::string> smaller(const config::Scenario& s) {
  const config::Layout& layout = s.layout;
  std::vector<std::string> changes;
  const auto add = [&](bool applies, std::string change) {
    if (applies) changes.push_back(std::move(change));
  };
  add(layout.zero < 1 && layout.dp > 1, "layout.zero=1");
  add(layout.zero < 2 && layout.dp > 1, "layout.zero=2");
  add(layout.tp > 1 && !layout.sequence_parallel, "layout.sequence_parallel=true");
  add(layout.recompute == config::Recompute::none && selective_saves_memory(s),
      "layout.recompute=selective");
  add(layout.recompute != config::Recompute::full, "layout.recompute=full");
  add(s.training.micro_batch % 2 == 0, setting("training.micro_batch", s.training.micro_batch / 2));
  add(layout.tp * 2 <= s.platform.node.gpus, setting("layout.tp", layout.tp * 2));
  add(true, setting("layout.pp", layout.pp * 2));
  return changes;
}

std::string path_of(const std::string& change) { return change.substr(0, change.find('=')); }

// The first of the candidates that is legal and fits.
Settings first_that_fits(const std::vector<Settings>& candidates, const Variant& variant) {
  for (const Settings& candidate : candidates) {
    const std::optional<config::Scenario> changed = variant(candidate);
    if (changed && fits(*changed)) return candidate;
  }
  return {};
}

std::vector<Settings> singles_then_pairs(const std::vector<std::string>& changes) {
  std::vector<Settings> candidates;
  for (const std::string& change : changes) candidates.push_back({change});
  for (std::size_t i = 0; i < changes.size(); ++i) {
    for (std::size_t k = i + 1; k < changes.size(); ++k) {
      if (path_of(changes[i]) != path_of(changes[k])) {
        candidates.push_back({changes[i], changes[k]});
      }
    }
  }
  return candidates;
}

// Half of a degree doubles dp, and so the sequences that one round of microbatches takes: where the
// batch does not divide by that, it has to double too.
std::vector<Settings> halved(const std::string& path, std::int64_t degree,
                             const config::Scenario& s) {
  if (degree % 2 != 0) return {};
  const std::string half = setting(path, degree / 2);
  return {{half}, {half, doubled_batch(s)}};
}

std::vector<Settings> against_recompute(const config::Scenario& s) {
  std::vector<Settings> candidates = {{"layout.recompute=none"}};
  if (s.layout.recompute == config::Recompute::full && selective_saves_memory(s)) {
    candidates.insert(candidates.begin(), {"layout.recompute=selective"});
  }
  return candidates;
}

// The same training first: smaller microbatches, or stages that take turns more often. A larger
// batch is another training.
std::vector<Settings> against_bubble(const config::Scenario& s) {
  std::vector<Settings> candidates;
  if (s.training.micro_batch % 2 == 0) {
    candidates.push_back({setting("training.micro_batch", s.training.micro_batch / 2)});
  }
  if (s.layout.schedule == config::ScheduleKind::interleaved) {
    candidates.push_back({setting("layout.vpp", s.layout.vpp * 2)});
  } else {
    candidates.push_back({"layout.schedule=interleaved-1f1b", "layout.vpp=2"});
  }
  candidates.push_back({doubled_batch(s)});
  return candidates;
}

// What hides an exchange behind arithmetic, where that was switched off; then less of it.
std::vector<Settings> against_exchange(const report::Part& loss, const config::Scenario& s) {
  const config::Layout& layout = s.layout;
  std::vector<Settings> candidates;
  const auto overlap = [&](bool on, const char* path) {
    if (!on) candidates.push_back({std::string(path) + "=true"});
  };
  std::vector<Settings> fewer;
  if (loss.time == &report::Breakdown::tp_exposed) {
    overlap(layout.overlap_tensor, "layout.overlap_tensor");
    fewer = halved("layout.tp", layout.tp, s);
  } else if (loss.time == &report::Breakdown::pp_exposed) {
    overlap(layout.overlap_p2p, "layout.overlap_p2p");
    fewer = halved("layout.pp", layout.pp, s);
  } else if (loss.time == &report::Breakdown::dp_exposed) {
    overlap(layout.overlap_gradients, "layout.overlap_gradients");
    if (layout.zero > 0) overlap(layout.overlap_parameters, "layout.overlap_parameters");
  }
  candidates.insert(candidates.end(), fewer.begin(), fewer.end());
  candidates.push_back({doubled_batch(s)});
  return candidates;
}

std::vector<Settings> against(const report::Part& loss, const config::Scenario& s) {
  if (loss.time == &report::Breakdown::recompute) return against_recompute(s);
  if (loss.time == &report::Breakdown::bubble) return against_bubble(s);
  return against_exchange(loss, s);
}

}  // namespace

bool fits(const config::Scenario& scenario) {
  const auto memory = layout::stage_memory(scenario, make_schedule(scenario));
  return std::all_of(memory.begin(), memory.end(), [&](const layout::StageMemory& stage) {
    return stage.peak() <= scenario.platform.gpu.memory;
  });
}

Settings advise(const report::Summary& summary, const Variant& variant) {
  const config::Scenario& scenario = summary.scenario;
  if (!summary.memory.fits) return first_that_fits(singles_then_pairs(smaller(scenario)), variant);
  const report::Part* loss = report::loss_worth_a_hint(summary.breakdown);
  return loss == nullptr ? Settings() : first_that_fits(against(*loss, scenario), variant);
}

}  // namespace flotilla::step
