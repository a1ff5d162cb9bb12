// A folded Clos network: layers of switches, each the way up for the groups below it.
#pragma once

#include "sim/topology/clos_plan.h"

namespace flotilla::topology {

class Clos : public Network {
 public:
  Clos(ClosPlan plan, const NicRow& nics, Wiring& wiring);
  // Up to the lowest layer that joins both, then down: 2 edges for each layer between.
  void append_route(Nic from, Nic to, Path& path) const override;

 private:
  void wire(Wiring& wiring);
  [[nodiscard]] const Duplex& uplink(std::size_t layer, std::int64_t group, std::int64_t member,
                                     std::int64_t choice) const;

  ClosPlan plan_;
  std::vector<std::int64_t> members_;         // by layer: parallel switches of a group
  std::vector<std::vector<Vertex>> switch_;   // by layer; group by group
  std::vector<std::vector<Duplex>> uplinks_;  // by layer; switch by switch
};

}  // namespace flotilla::topology
