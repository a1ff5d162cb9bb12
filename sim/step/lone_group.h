// A group that communicates alone on the fabric, as a benchmark does.
#pragma once

#include <vector>

#include "sim/collective/collective.h"
#include "sim/layout/mesh.h"
#include "sim/topology/fabric.h"

namespace flotilla::step {

collective::Placement group_placement(const std::vector<layout::Rank>& group,
                                      const config::Platform& platform,
                                      const topology::Fabric& fabric);

}  // namespace flotilla::step
