// A torus: nodes on a grid whose every line closes to a ring.
#pragma once

#include "sim/topology/network.h"

namespace flotilla::topology {

class Torus : public Network {
 public:
  Torus(const config::Platform& platform, const NicRow& nics, Wiring& wiring);
  // Dimension by dimension, the shorter way round.
  void append_route(Nic from, Nic to, Path& path) const override;
  // The weakest cut halves the longest dimension.
  [[nodiscard]] bool in_first_half(std::int64_t node, std::int64_t nodes) const override;

 private:
  // Along one dimension; node number = sum of coordinate x stride.
  struct Dimension {
    std::int64_t length = 1;
    std::int64_t stride = 1;
    std::vector<Duplex> next;  // by node: the cable to the next coordinate
  };
  [[nodiscard]] static std::int64_t step(const Dimension& d, std::int64_t node, std::int64_t by);

  std::int64_t nics_per_node_;
  std::vector<Dimension> dimensions_;
};

}  // namespace flotilla::topology
