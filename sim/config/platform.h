// The machine of a scenario: a GPU, the node around it, the network between nodes, and the library
// that runs the collectives. Every calibration constant belongs to one of these, never to a
// scenario.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/collective_library.h"
#include "sim/config/gpu.h"
#include "sim/units/quantity.h"

namespace flotilla::config {

// One direction of what joins a GPU to its neighbours (all links of one GPU together) or of a NIC.
struct Link {
  std::string name;
  std::string source;
  LinkKind kind = LinkKind::network;
  BytesPerSecond bandwidth;  // data sheet, one direction
  double efficiency = 1;     // share of it that a large transfer attains
  Seconds latency;           // one hop
  LinkTuning tuning;         // of collectives over it
};

enum class NodeFabric {
  nvswitch,  // every GPU has its own full-duplex port into a switch
  mesh,      // direct links, every pair joined
  pcie       // every GPU has a port into the host's root complex
};

struct Node {
  std::int64_t gpus = 0;
  NodeFabric fabric = NodeFabric::nvswitch;
  Link link;              // port of one GPU into the fabric of its node
  std::int64_t nics = 0;  // 0: the platform is one node
  Link nic;
};

// Nodes that share one layer of switches. `oversubscription` is the bandwidth that enters the layer
// from below over the bandwidth that leaves it upwards (1: full bisection, 7: "1:7").
struct Tier {
  std::string name;
  std::int64_t nodes = 0;
  double oversubscription = 1;
  Seconds latency;  // of one passage through this layer
};

struct Platform {
  std::string name;
  std::string source;
  std::int64_t nodes = 0;
  Gpu gpu;
  Node node;
  std::vector<Tier> tiers;  // innermost first; empty when there is one node
  CollectiveLibrary library;

  [[nodiscard]] std::int64_t gpus() const { return nodes * node.gpus; }
};

}  // namespace flotilla::config
