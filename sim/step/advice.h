// What to change about a scenario: settings that are legal and, with what they need in memory, fit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/summary.h"

namespace flotilla::step {

// Like "layout.zero=1": what --set takes.
using Settings = std::vector<std::string>;

// Loads the scenario again with some settings more; nothing when that is not legal.
using Variant = std::function<std::optional<config::Scenario>(const Settings&)>;

// True when every GPU of the scenario holds what it has to.
bool fits(const config::Scenario& scenario);

// For a scenario that does not fit: the first single change, or else the first pair, that makes it
// fit. For one that does: what acts on the part of the step that loses most, when that is worth a
// word. Empty when there is nothing to advise.
Settings advise(const report::Summary& summary, const Variant& variant);

}  // namespace flotilla::step
