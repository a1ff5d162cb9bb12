// From the name of a scenario to one JSON tree: files followed, overrides applied.
#pragma once

#include <string>
#include <vector>

#include "sim/config/json_document.h"
#include "sim/config/load.h"
#include "sim/config/problem.h"

namespace flotilla::config {

// What a JSON object describes.
enum class Kind { scenario, model, platform, gpu, link, library };

// Reads the scenario and puts every object that it names by a file in that file's place: its model,
// its platform, and the platform's gpu, library, links and NIC. Overrides see the whole
// tree. What cannot be followed stays as it is and is added to the problems.
// `files`: every file that was read, also one of which an override replaced a part.
// Throws InvalidInput when there is no scenario to read at all.
JsonValue resolve_scenario(const std::string& file, const Sources& sources, ProblemList& problems,
                           std::vector<std::string>& files);

// A platform by its shipped name or its path, as the key "platform" of the tree that comes back.
JsonValue resolve_platform(const std::string& file, const Sources& sources, ProblemList& problems);

// The same for a shipped file of the library that stands alone: "models/gpt3-175b.json".
JsonValue resolve_file(const std::string& file, Kind kind, const std::string& library_root,
                       ProblemList& problems);

}  // namespace flotilla::config
