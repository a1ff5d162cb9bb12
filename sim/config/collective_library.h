// The library that runs the collectives, and what it attains over one type of link.
//
// A library has protocols with constants for each kind of link; a link type may know better, from
// measurements of its own (LinkTuning). Every constant belongs to one of the two, never to a group
// or a size.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/units/quantity.h"

namespace flotilla::config {

enum class LinkKind { nvlink, pcie, network };

enum class CollectiveOp {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  all_to_all,
  send_recv
};

enum class CollectiveAlgorithm {
  ring,
  tree,          // chain in the node, double binary tree between nodes
  hierarchical,  // in the node, then between nodes, then in the node, one after the other
  nvls,          // the node's switch adds and multicasts
  nvls_tree,     // the same inside each node, double binary tree between nodes
  pairwise       // every rank sends to every rank it has something for
};

// One wire protocol of the collective library: time = base + hops x hop + bytes / (fraction x bw).
struct Protocol {
  std::string name;
  Seconds base;
  std::map<LinkKind, Seconds> hop;
  std::map<LinkKind, double> bandwidth_fraction;
};

// How a collective of several algorithms and protocols is chosen for a size.
enum class Choice {
  fastest,  // the one that takes the least time
  nccl      // the one that NCCL's own model prefers, right or wrong; sim/collective/nccl_choice.h
};

struct CollectiveLibrary {
  std::string name;
  std::string source;
  Choice choice = Choice::fastest;
  // Named instead of chosen, wherever the group's place allows it.
  std::map<CollectiveOp, CollectiveAlgorithm> algorithms;
  std::vector<Protocol> protocols;
  Seconds p2p;  // fixed time of one send/receive
  // Rings and trees that leave a node, and so the most NICs of it that they use; 0: no limit.
  std::int64_t network_channels = 0;
  // Multiprocessors that a collective occupies on each GPU; kernels beside it have to do without.
  std::map<LinkKind, double> multiprocessors;
};

// One way to move data over one type of link, as measured. What is absent is the library's value.
struct WireTiming {
  std::optional<Seconds> base;               // fixed time of a call
  std::optional<Seconds> hop;                // one step of a ring
  std::optional<Seconds> tree_hop;           // one level of a tree, up or down; absent: hop
  std::optional<double> bandwidth_fraction;  // share of the link's rate for large messages
  double local_copy = 0;                     // 1/n of the tensor is copied at rate / this
  // Filling the pipeline of chunks costs the time of this share of the bytes, at most of `fill`.
  double fill_share = 0;
  Bytes fill;
};

// Switches that add and multicast what passes through them (NVLink SHARP).
struct InSwitchReduction {
  WireTiming wire;
  std::int64_t smallest_group = 2;  // NCCL leaves smaller groups to rings
};

struct LinkTuning {
  std::string source;
  std::map<std::string, WireTiming> protocols;  // by name of the library's protocol
  std::optional<InSwitchReduction> in_switch;
  std::optional<WireTiming> pairwise;        // send and receive, all-to-all
  std::optional<WireTiming> pairwise_small;  // the same for small messages: the faster counts
  std::optional<BytesPerSecond> ll_limit;    // what NCCL's model expects of LL at most
};

}  // namespace flotilla::config
