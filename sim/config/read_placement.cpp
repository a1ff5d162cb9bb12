#include <algorithm>
#include <set>

#include "sim/config/read.h"

namespace flotilla::config {

void read_placement(Reader& in, Layout& layout) {
  const JsonValue* value = in.node().find("placement");
  if (value != nullptr && value->kind == JsonValue::Kind::list) {
    in.counts("placement", layout.placement, {0, 100'000'000});
    return;
  }
  enum class Placement { packed };
  Placement packed = Placement::packed;
  in.choice("placement", packed, Choices<Placement>{{"packed", Placement::packed}});
}

void check_placement(Reader& layout_in, const Scenario& scenario) {
  const std::vector<std::int64_t>& gpus = scenario.layout.placement;
  if (gpus.empty() || !layout_in.sound("placement")) return;
  if (layout_in.sound("gpus") && layout_in.sound("dp") &&
      std::ssize(gpus) != scenario.layout.gpus) {
    layout_in.fault("placement", "expected one GPU for each of the " +
                                     std::to_string(scenario.layout.gpus) + " ranks, found " +
                                     std::to_string(gpus.size()));
    return;
  }
  std::set<std::int64_t> taken;
  for (const std::int64_t gpu : gpus) {
    if (gpu >= scenario.platform.gpus()) {
      layout_in.fault("placement", "there is no GPU " + std::to_string(gpu) +
                                       ": the platform has GPUs 0 to " +
                                       std::to_string(scenario.platform.gpus() - 1));
      return;
    }
    if (!taken.insert(gpu).second) {
      layout_in.fault("placement", "GPU " + std::to_string(gpu) + " is there twice");
      return;
    }
  }
}

}  // namespace flotilla::config
