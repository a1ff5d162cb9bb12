// The machine of a scenario: a GPU, the node around it, the network between nodes, and the library
// that runs the collectives. Every calibration constant belongs to one of these, never to a
// scenario.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu.h"
#include "sim/config/link.h"
#include "sim/config/network.h"
#include "sim/config/node.h"
#include "sim/units/quantity.h"

namespace flotilla::config {

// One wire protocol of the collective library: time = base + hops x hop + bytes / (fraction x bw).
struct Protocol {
  std::string name;
  Seconds base;
  std::map<LinkKind, Seconds> hop;
  std::map<LinkKind, double> bandwidth_fraction;
};

struct CollectiveLibrary {
  std::string name;
  std::string source;
  std::vector<Protocol> protocols;  // a collective takes the fastest for its size
  Seconds p2p;                      // fixed time of one send/receive
  // Multiprocessors that a collective occupies on each GPU; kernels beside it have to do without.
  std::map<LinkKind, double> multiprocessors;
};

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
