#include "sim/topology/network.h"

#include "sim/topology/cable_list.h"
#include "sim/topology/clos.h"
#include "sim/topology/clos_plan.h"
#include "sim/topology/dragonfly.h"
#include "sim/topology/torus.h"

namespace flotilla::topology {

std::unique_ptr<Network> make_network(const config::Platform& platform, const NicRow& nics,
                                      Wiring& wiring) {
  switch (platform.network.kind) {
    case config::NetworkKind::clos:
      return std::make_unique<Clos>(plan_tiers(platform, nics), nics, wiring);
    case config::NetworkKind::rail:
      return std::make_unique<Clos>(plan_rails(platform, nics), nics, wiring);
    case config::NetworkKind::fat_tree:
      return std::make_unique<Clos>(plan_fat_tree(platform, nics), nics, wiring);
    case config::NetworkKind::dragonfly:
      return std::make_unique<Dragonfly>(platform, nics, wiring);
    case config::NetworkKind::torus:
      return std::make_unique<Torus>(platform, nics, wiring);
    case config::NetworkKind::list:
      return std::make_unique<CableList>(platform, nics, wiring);
  }
  return nullptr;
}

}  // namespace flotilla::topology
