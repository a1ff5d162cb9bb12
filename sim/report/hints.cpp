// Below the page: what to try, and where to look next.
#include <vector>

#include "sim/report/text.h"
#include "sim/report/words.h"

namespace flotilla::report {

namespace {

std::string command_of(const std::vector<std::string>& settings) {
  std::string command;
  for (const std::string& setting : settings) {
    command += (command.empty() ? "--set " : " --set ") + setting;
  }
  return command;
}

// The options that show more, but for those that were given already.
std::string look_closer(const Shown& shown) {
  std::string options;
  const auto offer = [&](bool given, const char* option) {
    if (!given) options += (options.empty() ? "" : ", ") + std::string(option);
  };
  offer(shown.timeline, "--timeline");
  offer(shown.trace, "--trace step.json");
  // --json draws no timeline.
  offer(shown.timeline, "--json");
  return options;
}

}  // namespace

std::string run_hints(const Summary& s, const Style& style, const Shown& shown) {
  std::string text = "\n";
  const auto add = [&](const std::string& sentence, std::string indent) {
    for (const std::string& line : wrapped(sentence, style.width - 4, style)) {
      text += indent + line + "\n";
      indent = "    ";
    }
  };
  // A command that somebody will copy stays in one piece where it can.
  const auto advise = [&](const std::string& why) {
    const std::string command = command_of(s.advice);
    const std::string sentence = why + ", try " + command;
    if (display_width(sentence) <= style.width - 4) return add(sentence, "  ");
    add(why + ", try", "  ");
    add(command, "    ");
  };
  const Part* loss = loss_worth_a_hint(s.breakdown);
  if (!s.memory.fits && s.advice.empty()) {
    add("No one or two changes of the layout make it fit: more memory or more GPUs are needed",
        "  ");
  } else if (!s.memory.fits) {
    advise("To make it fit");
  } else if (loss != nullptr && !s.advice.empty()) {
    advise("Against the largest loss, " + std::string(loss->label));
  }
  const std::string options = look_closer(shown);
  if (!options.empty()) add("Look closer: " + options, "  ");
  return text == "\n" ? "" : text;
}

}  // namespace flotilla::report
