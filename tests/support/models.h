// Models and scenarios that tests start from.
#pragma once

#include <string>

#include "sim/config/scenario.h"

namespace flotilla::test {

// The model of models/NAME.json.
config::Model shipped_model(const std::string& name);

// A scenario of scenarios/NAME.json with overrides.
config::Scenario shipped_scenario(const std::string& name,
                                  const std::vector<std::string>& overrides = {});

// Four layers, hidden 512, 8 heads, GELU, learned positions: every dimension divides by 8.
config::Model small_model();

// A machine whose answers are known on paper: matrix products and streaming kernels at their peak
// with no fixed times, links without latency, a library with one protocol.
config::Platform ideal_platform(std::int64_t gpus_per_node, std::int64_t nodes);

// small_model on one GPU of an ideal platform, one microbatch; change what the test is about and
// call finish, which derives dp and the stage split.
config::Scenario small_scenario();
config::Scenario finish(config::Scenario scenario);

}  // namespace flotilla::test
