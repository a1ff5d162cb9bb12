// A link of the machine: what it is made of, and what it moves.
#pragma once

#include <cstdint>
#include <string>

#include "sim/config/collective_library.h"
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

  [[nodiscard]] BytesPerSecond attained() const { return bandwidth * efficiency; }
};

}  // namespace flotilla::config
