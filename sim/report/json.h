// The output contract as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/report/summary.h"

namespace flotilla::report {

// Schema 1: keys in a stable order, dimensions in the key names (_s, _bytes, _Bps), everything in
// SI base units. Doubles read back to the same doubles.
nlohmann::ordered_json json_of(const Summary& summary);

// The document of `--json`, indented, with a newline at the end.
std::string to_json(const Summary& summary);

// Any document the same way. Names that are not valid UTF-8 keep their valid part.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace flotilla::report
