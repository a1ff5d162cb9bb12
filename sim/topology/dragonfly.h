// A dragonfly (Kim et al. 2008): groups of routers, every router joined to every other of its
// group, every group to every other group.
#pragma once

#include "sim/topology/network.h"

namespace flotilla::topology {

class Dragonfly : public Network {
 public:
  Dragonfly(const config::Platform& platform, const NicRow& nics, Wiring& wiring);
  // The shortest way: at most a local cable, a global one and a local one. Of several global cables
  // between two groups, a hash of the NICs chooses.
  void append_route(Nic from, Nic to, Path& path) const override;

 private:
  void wire_groups(const config::Cable& local, BytesPerSecond rate, Wiring& wiring);
  void wire_between_groups(const config::Cable& global, BytesPerSecond rate, Wiring& wiring);
  void append_local(std::int64_t from, std::int64_t to, Path& path) const;
  [[nodiscard]] std::int64_t router_with(std::int64_t group, std::int64_t other,
                                         std::int64_t cable) const;

  config::Dragonfly shape_;
  std::int64_t parallel_ = 0;  // global cables between each two groups: a h / (g - 1)
  std::vector<Vertex> router_;
  std::vector<Duplex> local_;   // by group and pair of its routers
  std::vector<Duplex> global_;  // by pair of groups and cable
};

}  // namespace flotilla::topology
