#include "sim/topology/share.h"

#include <algorithm>
#include <limits>

namespace flotilla::topology {

void Load::add(const Transfer& transfer) {
  for (EdgeIndex e : fabric_.route(transfer.from, transfer.to)) {
    ++count_[static_cast<std::size_t>(e)];
  }
}

BytesPerSecond Load::share(const Transfer& transfer) const {
  BytesPerSecond smallest(std::numeric_limits<double>::infinity());
  for (EdgeIndex e : fabric_.route(transfer.from, transfer.to)) {
    const auto count = static_cast<double>(std::max(1, count_[static_cast<std::size_t>(e)]));
    smallest = std::min(smallest, fabric_.edge(e).capacity / count);
  }
  return smallest;
}

Seconds route_latency(const Fabric& fabric, const Transfer& transfer) {
  Seconds total;
  for (EdgeIndex e : fabric.route(transfer.from, transfer.to)) total += fabric.edge(e).latency;
  return total;
}

}  // namespace flotilla::topology
