// A network given cable by cable: routes are shortest paths.
#pragma once

#include <mutex>
#include <unordered_map>

#include "sim/topology/network.h"

namespace flotilla::topology {

class CableList : public Network {
 public:
  CableList(const config::Platform& platform, const NicRow& nics, Wiring& wiring);
  // The fewest cables; of several equal ways on at a switch, a hash of the two NICs chooses one.
  void append_route(Nic from, Nic to, Path& path) const override;

 private:
  struct Hop {
    std::size_t to = 0;  // number of a switch
    EdgeIndex edge = -1;
  };
  using Distances = std::vector<std::int32_t>;  // by switch

  // How far each switch is from this one: a breadth-first search, kept for the next transfer to it.
  const Distances& distances_to(std::size_t target) const;

  std::vector<std::vector<Hop>> hops_;  // by switch
  std::vector<std::size_t> switch_of_;  // by NIC
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::size_t, Distances> distances_;
};

}  // namespace flotilla::topology
