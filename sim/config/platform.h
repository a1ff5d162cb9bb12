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
#include "sim/units/quantity.h"

namespace flotilla::config {

enum class LinkKind { nvlink, pcie, network };

// One direction of what joins a GPU to its neighbours (all links of one GPU together) or of a NIC.
struct Link {
  std::string name;
  std::string source;
  LinkKind kind = LinkKind::network;
  BytesPerSecond bandwidth;  // data sheet, one direction
  double efficiency = 1;     // share of it that a large transfer attains
  Seconds latency;           // one hop
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
  std::vector<Tier> tiers;  // innermost first; empty when there is one node
  CollectiveLibrary library;

  [[nodiscard]] std::int64_t gpus() const { return nodes * node.gpus; }
};

}  // namespace flotilla::config
