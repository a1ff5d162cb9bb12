// The machine of a scenario: a GPU, the node around it, the network between nodes, and the library
// that runs the collectives. Every calibration constant belongs to one of these, never to a
// scenario.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/collective_library.h"
#include "sim/config/gpu.h"
#include "sim/config/link.h"
#include "sim/config/network.h"
#include "sim/config/node.h"
#include "sim/units/quantity.h"

namespace flotilla::config {

struct Platform {
  std::string name;
  std::string source;
  std::int64_t nodes = 0;
  Gpu gpu;
  Node node;
  std::vector<Tier> tiers;  // innermost first; of a Clos or rail network
  Network network;
  CollectiveLibrary library;

  [[nodiscard]] std::int64_t gpus() const { return nodes * node.gpus; }
};

}  // namespace flotilla::config
