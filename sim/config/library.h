// The files that are shipped with the program: models/ platforms/ scenarios/.
#pragma once

#include <string>
#include <vector>

#include "sim/config/resolve.h"

namespace flotilla::config {

// "model", "platform", "GPU", ...
std::string kind_name(Kind kind);
// "models", "platforms", "platforms/gpus", ...
std::string kind_folder(Kind kind);
// The bare names of the shipped files of a kind, sorted; those of scenarios may have a folder:
// "korthikanti/22b-full".
std::vector<std::string> shipped_names(const std::string& library_root, Kind kind);

}  // namespace flotilla::config
