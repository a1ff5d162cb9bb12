// Links by the names that people give them.
#pragma once

#include "sim/config/degraded.h"
#include "sim/topology/wiring.h"

namespace flotilla::topology {

// Both directions of the link "A - B" (of all of them, if several join A and B), or of all links of
// the element "A". Throws config::InvalidInput when there is none of that name.
Path find_link(const Wiring& wiring, const config::Degraded& degraded);

}  // namespace flotilla::topology
