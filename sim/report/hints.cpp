// What to try next: the one or two settings that act on what this step loses most to.
#include <algorithm>
#include <vector>

#include "sim/report/text.h"
#include "sim/report/words.h"

namespace flotilla::report {

namespace {

constexpr double worth_a_hint = 0.05;  // share of the step

std::string set(const std::string& path, const std::string& value) {
  return "--set " + path + "=" + value;
}

// Flash attention keeps no scores, so there is nothing that selective recomputation could leave
// out.
bool selective_saves_memory(const config::Scenario& s) {
  return s.training.attention == config::Attention::unfused;
}

// For a layout that is too big: shard what can be sharded for free, then trade time for memory.
std::string to_make_it_fit(const Summary& s) {
  const config::Layout& layout = s.scenario.layout;
  const auto fullest = std::max_element(
      s.memory.stages.begin(), s.memory.stages.end(),
      [](const StageMemory& a, const StageMemory& b) { return a.peak_bytes < b.peak_bytes; });
  if (fullest == s.memory.stages.end()) return "";
  const bool states_weigh = fullest->optimizer_bytes > fullest->activations_bytes;
  if (states_weigh && layout.dp > 1 && layout.zero == 0) return set("layout.zero", "1");
  if (!states_weigh && layout.recompute != config::Recompute::full) {
    const bool none = layout.recompute == config::Recompute::none;
    return set("layout.recompute",
               none && selective_saves_memory(s.scenario) ? "selective" : "full");
  }
  // Nothing is left to shard or to trade: more GPUs, or more of them for each copy of the model.
  const std::int64_t heads = s.scenario.model.heads, node = s.scenario.platform.node.gpus;
  const std::int64_t tp = layout.tp * 2;
  const bool wider = tp <= node && heads % tp == 0;
  const std::string split = wider ? set("layout.tp", std::to_string(tp))
                                  : set("layout.pp", std::to_string(layout.pp * 2));
  if (layout.dp % 2 == 0) return split;
  return set("layout.gpus", std::to_string(layout.gpus * 2)) + " " + split;
}

std::string doubled_batch(const config::Scenario& s) {
  return set("training.global_batch", std::to_string(s.training.global_batch * 2));
}

// Half of a degree doubles dp, and so the sequences that one round of microbatches takes: where the
// batch does not divide by that, it has to double too.
std::string halved(const std::string& path, std::int64_t degree, const config::Scenario& s) {
  const bool interleaved = s.layout.schedule == config::ScheduleKind::interleaved;
  const std::int64_t rounds = interleaved ? s.layout.pp : 1;
  const std::string half = set(path, std::to_string(degree / 2));
  return s.microbatches() % (2 * rounds) == 0 ? half : half + " " + doubled_batch(s);
}

// For the largest loss of a step, the setting that acts on it.
std::string against(const Part& loss, const config::Scenario& s) {
  const config::Layout& layout = s.layout;
  if (loss.time == &Breakdown::recompute) {
    const bool full = layout.recompute == config::Recompute::full;
    return set("layout.recompute", full && selective_saves_memory(s) ? "selective" : "none");
  }
  if (loss.time == &Breakdown::tp_exposed && layout.tp % 2 == 0) {
    return halved("layout.tp", layout.tp, s);
  }
  // With one stage left an interleaved schedule would have nothing to interleave.
  if (loss.time == &Breakdown::pp_exposed && layout.pp % 2 == 0 &&
      (layout.pp > 2 || layout.vpp == 1)) {
    return halved("layout.pp", layout.pp, s);
  }
  return doubled_batch(s);
}

const Part* largest_loss(const Breakdown& breakdown) {
  const Part* largest = nullptr;
  for (const Part& part : breakdown_parts()) {
    if (part.time == &Breakdown::compute || (breakdown.*part.time).value() <= 0) continue;
    if (largest == nullptr || breakdown.*part.time > breakdown.*largest->time) largest = &part;
  }
  return largest;
}

}  // namespace

std::string run_hints(const Summary& s, const Style& style) {
  std::string text = "\n";
  const auto add = [&](const std::string& sentence, std::string indent) {
    for (const std::string& line : wrapped(sentence, style.width - 4, style)) {
      text += indent + line + "\n";
      indent = "    ";
    }
  };
  // A command that somebody will copy stays in one piece where it can.
  const auto advise = [&](const std::string& why, const std::string& command) {
    const std::string sentence = why + ", try " + command;
    if (display_width(sentence) <= style.width - 4) return add(sentence, "  ");
    add(why + ", try", "  ");
    add(command, "    ");
  };
  const Part* loss = largest_loss(s.breakdown);
  if (!s.memory.fits) {
    const std::string fix = to_make_it_fit(s);
    if (!fix.empty()) advise("To make it fit", fix);
  } else if (loss != nullptr && s.breakdown.*loss->time > worth_a_hint * s.breakdown.total()) {
    advise("Against the largest loss, " + std::string(loss->label), against(*loss, s.scenario));
  }
  add("Look closer: --timeline, --trace step.json, --json", "  ");
  return text;
}

}  // namespace flotilla::report
