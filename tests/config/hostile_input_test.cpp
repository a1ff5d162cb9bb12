// Whatever is in the files: the loader returns a sound scenario or refuses it in words.
#include <numeric>
#include <random>

#include "sim/config/json_document.h"
#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla::config;
using namespace flotilla::test;

namespace {

// Empty when the scenario keeps what the rest of the program relies on.
std::string flaw(const Scenario& s) {
  const Layout& l = s.layout;
  const auto& stages = l.stage_layers;
  if (l.tp < 1 || l.pp < 1 || l.vpp < 1 || l.dp < 1 || l.cp != 1) return "a degree";
  if (l.gpus != l.tp * l.pp * l.cp * l.dp || l.gpus > s.platform.gpus()) return "gpus";
  if (static_cast<std::int64_t>(stages.size()) != l.pp * l.vpp) return "number of stages";
  if (std::accumulate(stages.begin(), stages.end(), std::int64_t{0}) != s.model.layers) {
    return "layers";
  }
  if (s.microbatches() * s.training.micro_batch * l.dp != s.training.global_batch) return "batch";
  if (s.training.sequence_length < 1 || s.model.heads % l.tp != 0) return "shape";
  if (!s.platform.gpu.peak.contains(s.training.precision)) return "precision";
  if (!(s.platform.gpu.memory.value() > 0) || s.platform.library.protocols.empty())
    return "machine";
  return "";
}

// True when it was accepted.
bool load_or_refuse(const std::string& text, const Overrides& overrides = {}) {
  try {
    const Scenario scenario = load_text(text, overrides);
    CAPTURE(text, overrides);
    REQUIRE(flaw(scenario).empty());
    return true;
  } catch (const InvalidInput& error) {
    REQUIRE(!error.problems().empty());
    return false;
  }
}

void collect_paths(const JsonValue& value, const std::string& path,
                   std::vector<std::string>& paths) {
  if (!path.empty()) paths.push_back(path);
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const JsonMember& member : value.members) {
    collect_paths(member.value, prefix + member.key, paths);
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    collect_paths(value.items[i], prefix + std::to_string(i), paths);
  }
}

}  // namespace

TEST_CASE("whatever replaces a value, the scenario is sound or refused") {
  auto source = std::make_shared<SourceText>();
  source->text = legal_scenario();
  std::vector<std::string> paths;
  collect_paths(parse_json(source), "", paths);
  for (const std::string key :
       {"layout.vpp", "layout.dp", "layout.zero", "layout.schedule", "layout.stage_layers",
        "layout.first_stage_layers", "training.total_tokens", "model.max_positions", "name"}) {
    paths.push_back(key);
  }
  CHECK(paths.size() > 50);
  int accepted = 0;
  for (const std::string& path : paths) {
    for (const std::string value :
         {"null",  "true", "0",    "-1",    "1",    "3",  "8",       "0.5", "9007199254740993",
          "1e300", "5 s",  "1 GB", "-1 us", "\"\"", "[]", "[12,12]", "{}",  "[[1]]",
          "gpipe", "nccl"}) {
      if (load_or_refuse(legal_scenario(), {path + "=" + value})) ++accepted;
    }
  }
  CHECK(accepted > 100);
}

TEST_CASE("whatever is damaged in the text, the scenario is sound or refused") {
  std::mt19937 random(7);
  const std::string alphabet = "{}[]\",:0123456789.-eE/ \n\x80\xFF";
  for (int i = 0; i < 500; ++i) {
    std::string text = legal_scenario();
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = alphabet[random() % alphabet.size()];
      } else {
        text.erase(at, 1 + random() % 30);
      }
      if (text.empty()) break;
    }
    load_or_refuse(text);
  }
}
