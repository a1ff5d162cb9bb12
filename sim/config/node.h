// A server: its GPUs, what joins them, and its NICs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/config/link.h"

namespace flotilla::config {

enum class NodeFabric {
  nvswitch,  // every GPU has its own full-duplex port into a switch
  mesh,      // direct links between pairs of GPUs
  pcie       // every GPU has a port into the host
};

// Two GPUs of a mesh and how many links join them.
struct MeshPair {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t links = 1;
};

// The host: GPUs and NICs hang evenly on its PCIe switches, these on its sockets.
struct PcieTree {
  std::int64_t sockets = 1;
  std::int64_t switches = 0;  // of the whole node; 0: GPUs and NICs hang on the sockets
  Link link;                  // a GPU's or NIC's port into the tree
  Link uplink;                // a switch's port into its socket
  Link interconnect;          // between two sockets
};

struct Node {
  std::int64_t gpus = 0;
  NodeFabric fabric = NodeFabric::nvswitch;
  Link link;                   // port of one GPU into the fabric of its node
  std::vector<MeshPair> mesh;  // empty: every GPU reaches every other through its port
  std::optional<PcieTree> pcie;
  std::int64_t nics = 0;  // 0: the platform is one node
  Link nic;
  std::vector<std::int64_t> nic_of_gpu;  // empty: in order, evenly shared
};

}  // namespace flotilla::config
