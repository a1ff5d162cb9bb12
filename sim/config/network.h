// The network between nodes: which switches there are and how they are joined.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/link.h"

namespace flotilla::config {

enum class NetworkKind {
  clos,       // layers of switches over groups of nodes (Platform::tiers)
  rail,       // the same, but the innermost layer has one switch for the k-th NICs of its nodes
  fat_tree,   // two or three layers of equal switches, known by their radix
  dragonfly,  // groups of routers, all-to-all inside a group and between groups
  torus,      // a grid of nodes closed in every dimension
  list        // switches and links one by one
};

// How the flows between two NICs spread over paths of equal length.
enum class Balance {
  ideal,  // evenly: parallel switches of a layer are one, as wide as all of them
  hash    // each pair of NICs keeps to one path, chosen by a hash as ECMP does
};

// Nodes that share one layer of switches. `oversubscription` is the bandwidth that enters the layer
// from below over the bandwidth that leaves it upwards (1: full bisection, 7: "1:7").
struct Tier {
  std::string name;
  std::int64_t nodes = 0;
  double oversubscription = 1;
  Seconds latency;           // of one passage through this layer
  std::int64_t uplinks = 1;  // of each switch of this layer; matters to Balance::hash
};

struct Cable {
  BytesPerSecond bandwidth;  // data sheet, one direction; it attains the share that a NIC does
  Seconds latency;           // cable and the switch at its end
};

struct FatTree {
  std::int64_t radix = 0;   // ports of a switch
  std::int64_t levels = 3;  // 2: radix^2/2 NICs, 3: radix^3/4
  Seconds latency;          // of one switch
};

// Kim et al. 2008: g groups of a routers, each with p NICs and h global cables.
struct Dragonfly {
  std::int64_t groups = 0;
  std::int64_t routers = 0;            // a, in a group
  std::int64_t nics_per_router = 0;    // p
  std::int64_t global_per_router = 0;  // h
  Cable local;
  Cable global;
};

struct Torus {
  std::vector<std::int64_t> dimensions;  // their product is the number of nodes
  Cable cable;                           // between neighbours
};

// Where a listed cable ends.
struct CableEnd {
  std::int64_t a_switch = -1;    // index of ListedNetwork::switches; or else the NICs of
  std::int64_t first_node = -1;  // these nodes
  std::int64_t last_node = -1;
  std::int64_t nic = -1;  // -1: all NICs of the node
};

struct ListedCable {
  CableEnd from;
  CableEnd to;
  std::int64_t count = 1;
  Cable cable;
};

struct ListedNetwork {
  std::vector<std::string> switches;
  std::vector<ListedCable> cables;
};

// Only the part that `kind` names is filled in.
struct Network {
  NetworkKind kind = NetworkKind::clos;
  Balance balance = Balance::ideal;
  FatTree fat_tree;
  Dragonfly dragonfly;
  Torus torus;
  ListedNetwork list;
};

}  // namespace flotilla::config
