// What one transfer gets of the shared part of the fabric while all its likes run at the same time.
#pragma once

#include <vector>

#include "sim/topology/fabric.h"

namespace flotilla::topology {

struct Transfer {
  Gpu from = 0;
  Gpu to = 0;
};

// How many transfers cross each edge of the fabric.
class Load {
 public:
  explicit Load(const Fabric& fabric) : fabric_(fabric), count_(fabric.edge_count(), 0) {}
  void add(const Transfer& transfer);
  // Bandwidth of one of the transfers: the smallest capacity / count along its route. Infinite for
  // a transfer that crosses nothing.
  [[nodiscard]] BytesPerSecond share(const Transfer& transfer) const;
  [[nodiscard]] std::int32_t count(EdgeIndex edge) const {
    return count_[static_cast<std::size_t>(edge)];
  }

 private:
  const Fabric& fabric_;
  std::vector<std::int32_t> count_;
};

// The sum of the latencies along a route.
Seconds route_latency(const Fabric& fabric, const Transfer& transfer);

}  // namespace flotilla::topology
