// The settings of scenarios as text, to tell what differs between them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/config/scenario.h"

namespace flotilla::report {

struct Difference {
  std::string path;                 // "layout.tp"
  std::vector<std::string> values;  // one a scenario, in their order
};

// The settings that are not the same in all scenarios. Models and platforms are told apart by name;
// only where the names are equal do their figures count.
std::vector<Difference> differences(std::span<const config::Scenario> scenarios);

}  // namespace flotilla::report
