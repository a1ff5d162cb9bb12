// Advice is worth following: what it says is legal, fits, and acts on the loss.
#include "sim/step/advice.h"

#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla;
using namespace flotilla::test;
using step::Settings;

namespace {

Settings advice_for(const Overrides& overrides, Seconds report::Breakdown::*loss) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.json", legal_scenario());
  report::Summary summary;
  summary.scenario = load_file(file, overrides);
  summary.memory.fits = step::fits(summary.scenario);
  summary.breakdown.compute = Seconds(1);
  summary.breakdown.*loss = Seconds(1);
  const auto changed = [&](const Settings& more) -> std::optional<config::Scenario> {
    Overrides all = overrides;
    all.insert(all.end(), more.begin(), more.end());
    try {
      return load_file(file, all);
    } catch (const config::InvalidInput&) {
      return std::nullopt;
    }
  };
  const Settings advice = step::advise(summary, changed);
  if (!advice.empty()) {
    const auto scenario = changed(advice);
    REQUIRE(scenario);
    CHECK(step::fits(*scenario));
  }
  return advice;
}

Settings advice_to_fit(Overrides overrides, const std::string& memory) {
  overrides.push_back("platform.gpu.memory=" + memory);
  return advice_for(overrides, &report::Breakdown::bubble);
}

}  // namespace

TEST_CASE("what does not fit gets the first single change that makes it fit, or else a pair") {
  // As it stands a GPU of stage 0 takes 2,441 MiB: 634 of optimizer, 1,490 of activations.
  CHECK(advice_to_fit({}, "2200 MiB") == Settings{"layout.zero=1"});
  CHECK(advice_to_fit({}, "2000 MiB") == Settings{"layout.sequence_parallel=true"});
  CHECK(advice_to_fit({}, "1300 MiB") == Settings{"layout.recompute=full"});
  CHECK(advice_to_fit({}, "1000 MiB") == Settings{"layout.zero=1", "layout.recompute=full"});
  CHECK(advice_to_fit({}, "50 MiB").empty());
}

TEST_CASE("a change that is not legal is no advice") {
  const Overrides small = {"layout.zero=2", "layout.recompute=full",
                           "layout.sequence_parallel=true", "training.micro_batch=1"};
  CHECK(advice_to_fit(small, "700 MiB") == Settings{"layout.tp=8"});
  // A dp that was asked for leaves no GPUs to double tp or pp with.
  Overrides fixed = small;
  fixed.push_back("layout.dp=2");
  CHECK(advice_to_fit(fixed, "700 MiB").empty());
}

TEST_CASE("a bubble asks for smaller microbatches, then virtual stages, then a larger batch") {
  const auto bubble = &report::Breakdown::bubble;
  CHECK(advice_for({}, bubble) == Settings{"training.micro_batch=1"});
  CHECK(advice_for({"training.micro_batch=1"}, bubble) ==
        Settings{"layout.schedule=interleaved-1f1b", "layout.vpp=2"});
  CHECK(advice_for({"training.micro_batch=1", "model.layers=26"}, bubble) ==
        Settings{"training.global_batch=64"});
}

TEST_CASE("recomputation is undone only where memory allows") {
  const auto recompute = &report::Breakdown::recompute;
  CHECK(advice_for({"layout.recompute=full"}, recompute) == Settings{"layout.recompute=none"});
  CHECK(advice_for({"layout.recompute=full", "platform.gpu.memory=1.5 GiB"}, recompute).empty());
  CHECK(advice_for({"layout.recompute=full", "training.attention=unfused"}, recompute) ==
        Settings{"layout.recompute=selective"});
}

TEST_CASE("less tensor parallelism is advised with a batch that it divides") {
  const auto chatter = &report::Breakdown::tp_exposed;
  CHECK(advice_for({}, chatter) == Settings{"layout.tp=2"});
  CHECK(advice_for({"training.global_batch=4"}, chatter) ==
        Settings{"layout.tp=2", "training.global_batch=8"});
}

TEST_CASE("an overlap that was switched off is advised first") {
  CHECK(advice_for({"layout.overlap_gradients=false"}, &report::Breakdown::dp_exposed) ==
        Settings{"layout.overlap_gradients=true"});
}
