// A platform on its own, for the commands that need no scenario.
#pragma once

#include <string>

#include "sim/config/platform.h"

namespace flotilla::config {

// Reads a platform by a shipped name, a path, or "-" for stdin. Throws InvalidInput with every
// problem found.
Platform load_platform(const std::string& file, const std::string& library_root);

}  // namespace flotilla::config
