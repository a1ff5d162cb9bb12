#include "sim/collective/algorithms.h"

#include <algorithm>
#include <cmath>

namespace flotilla::collective {

namespace {

struct Shape {
  double n, nodes, k;
  double nics;  // of a node, as many as rings and trees use
};

Shape shape_of(const Placement& at, std::int64_t channels) {
  const std::int64_t used =
      channels > 0 ? std::min(channels, at.ranks_per_node) : at.ranks_per_node;
  return {static_cast<double>(at.ranks), static_cast<double>(at.nodes),
          static_cast<double>(at.ranks_per_node), static_cast<double>(used)};
}

double rounds(Op op) { return op == Op::all_reduce ? 2 : 1; }

Demand ring(Op op, Bytes bytes, const Shape& s) {
  const double share = op == Op::broadcast ? 1 : rounds(op) * (s.n - 1) / s.n;
  Demand d;
  if (s.nodes > 1) {
    d.network = bytes * (share / s.nics);
    d.node = bytes * (share * (s.k - 1) / s.k);
  } else {
    d.node = bytes * share;
  }
  d.network_hops = rounds(op) * (s.nodes - 1);
  d.node_hops = rounds(op) * (s.n - 1) - d.network_hops;
  d.local = op == Op::broadcast ? Bytes() : bytes / s.n;
  return d;
}

// What a double binary tree over the nodes adds.
void add_tree_between_nodes(Op op, Bytes bytes, const Shape& s, Demand& d) {
  if (s.nodes < 2) return;
  const double directions = op == Op::all_reduce ? 2 : 1;
  const double copies = s.nodes == 2 ? 1 : directions;
  d.network = bytes * (copies / s.nics);
  d.levels = std::ceil(std::log2(s.nodes));
  d.network_hops = directions * d.levels;
}

Demand tree(Op op, Bytes bytes, const Shape& s) {
  const double directions = op == Op::all_reduce ? 2 : 1;
  Demand d;
  d.node = bytes * (directions * (s.k - 1) / s.k);
  d.node_hops = directions * (s.k - 1);
  add_tree_between_nodes(op, bytes, s, d);
  return d;
}

Demand hierarchical(Op op, Bytes bytes, const Shape& s) {
  const double r = rounds(op);
  Demand d;
  d.node = bytes * (r * (s.k - 1) / s.k);
  d.node_hops = r * (s.k - 1);
  d.network = bytes * (r * (s.nodes - 1) / s.nodes / s.k);
  d.network_hops = r * (s.nodes - 1);
  d.local = bytes / s.k;
  d.one_by_one = true;
  return d;
}

Demand in_switch(Op op, Bytes bytes, const Shape& s) {
  Demand d;
  d.node = bytes * (op == Op::all_reduce ? 1 + 1 / s.k : (s.k - 1) / s.k);
  add_tree_between_nodes(op, bytes, s, d);
  return d;
}

Demand pairwise(Op op, Bytes bytes, const Shape& s) {
  Demand d;
  d.at_once = true;
  if (op == Op::send_recv) {
    if (s.k > 1) d.node = bytes;
    if (s.nodes > 1) d.network = bytes;
    d.node_hops = s.k > 1 ? 1 : 0;
    d.network_hops = s.nodes > 1 ? 1 : 0;
    return d;
  }
  d.node = bytes * ((s.k - 1) / s.n);
  d.network = bytes * ((s.n - s.k) / s.n);
  d.network_hops = s.n - s.k;
  d.node_hops = s.k - 1;
  d.local = bytes / s.n;
  return d;
}

}  // namespace

Demand demand(Op op, Algorithm algorithm, Bytes bytes, const Placement& at, std::int64_t channels) {
  const Shape shape = shape_of(at, channels);
  switch (algorithm) {
    case Algorithm::ring:
      return ring(op, bytes, shape);
    case Algorithm::tree:
      return tree(op, bytes, shape);
    case Algorithm::hierarchical:
      return hierarchical(op, bytes, shape);
    case Algorithm::nvls:
    case Algorithm::nvls_tree:
      return in_switch(op, bytes, shape);
    case Algorithm::pairwise:
      return pairwise(op, bytes, shape);
  }
  return {};
}

bool supports(Op op, Algorithm algorithm, const Placement& at) {
  const bool reduces = op == Op::all_reduce || op == Op::all_gather || op == Op::reduce_scatter;
  const bool in_switch = at.node_tuning.in_switch.has_value() && at.ranks_per_node > 1;
  switch (algorithm) {
    case Algorithm::ring:
      return reduces || op == Op::broadcast;
    case Algorithm::tree:
      return op == Op::all_reduce || op == Op::broadcast;
    case Algorithm::hierarchical:
      return reduces && at.nodes > 1 && at.ranks_per_node > 1;
    case Algorithm::nvls:
      return reduces && in_switch && at.nodes == 1;
    case Algorithm::nvls_tree:
      return op == Op::all_reduce && in_switch && at.nodes > 1;
    case Algorithm::pairwise:
      return op == Op::all_to_all || op == Op::send_recv;
  }
  return false;
}

double bus_factor(Op op, std::int64_t ranks) {
  const auto n = static_cast<double>(ranks);
  if (op == Op::broadcast || op == Op::send_recv) return 1;
  return (op == Op::all_reduce ? 2 : 1) * (n - 1) / n;
}

}  // namespace flotilla::collective
