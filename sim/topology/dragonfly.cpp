#include "sim/topology/dragonfly.h"

#include "sim/topology/pairs.h"
#include "sim/topology/path_hash.h"

namespace flotilla::topology {

Dragonfly::Dragonfly(const config::Platform& platform, const NicRow& nics, Wiring& wiring)
    : shape_(platform.network.dragonfly) {
  const double attained = platform.node.nic.efficiency;
  if (shape_.groups > 1) {
    parallel_ = shape_.routers * shape_.global_per_router / (shape_.groups - 1);
  }
  for (std::int64_t r = 0; r < shape_.groups * shape_.routers; ++r) {
    router_.push_back(wiring.add_vertex({.kind = VertexKind::router, .number = r}));
  }
  for (std::size_t n = 0; n < nics.vertices.size(); ++n) {
    const std::int64_t router = static_cast<std::int64_t>(n) / shape_.nics_per_router;
    port_.push_back(wiring.join(nics.vertices[n], router_[at(router)], nics.rate, nics.latency));
  }
  wire_groups(shape_.local, shape_.local.bandwidth * attained, wiring);
  wire_between_groups(shape_.global, shape_.global.bandwidth * attained, wiring);
}

void Dragonfly::wire_groups(const config::Cable& local, BytesPerSecond rate, Wiring& wiring) {
  for (std::int64_t first = 0; first < std::ssize(router_); first += shape_.routers) {
    for (std::int64_t high = 1; high < shape_.routers; ++high) {
      for (std::int64_t low = 0; low < high; ++low) {
        local_.push_back(
            wiring.join(router_[at(first + low)], router_[at(first + high)], rate, local.latency));
      }
    }
  }
}

// The cables of a group are dealt out over the other groups, one each, round after round; router r
// holds the cables r h ... r h + h - 1.
std::int64_t Dragonfly::router_with(std::int64_t group, std::int64_t other,
                                    std::int64_t cable) const {
  const std::int64_t turn = other < group ? other : other - 1;
  const std::int64_t socket = cable * (shape_.groups - 1) + turn;
  return group * shape_.routers + socket / shape_.global_per_router;
}

void Dragonfly::wire_between_groups(const config::Cable& global, BytesPerSecond rate,
                                    Wiring& wiring) {
  for (std::int64_t high = 1; high < shape_.groups; ++high) {
    for (std::int64_t low = 0; low < high; ++low) {
      for (std::int64_t c = 0; c < parallel_; ++c) {
        global_.push_back(wiring.join(router_[at(router_with(low, high, c))],
                                      router_[at(router_with(high, low, c))], rate,
                                      global.latency));
      }
    }
  }
}

void Dragonfly::append_local(std::int64_t from, std::int64_t to, Path& path) const {
  if (from == to) return;
  const std::int64_t group = from / shape_.routers;
  const std::int64_t pair = pair_index(from % shape_.routers, to % shape_.routers);
  const Duplex& cable = local_[at(group * pair_count(shape_.routers) + pair)];
  path.push_back(from < to ? cable.up : cable.down);
}

void Dragonfly::append_route(Nic from, Nic to, Path& path) const {
  const std::int64_t first = from / shape_.nics_per_router;
  const std::int64_t last = to / shape_.nics_per_router;
  const std::int64_t a = first / shape_.routers;
  const std::int64_t b = last / shape_.routers;
  path.push_back(port(from).up);
  if (a == b) {
    append_local(first, last, path);
  } else {
    // The way back takes the same cable, so both are equally long.
    const std::int64_t c = choose_path(std::min(from, to), std::max(from, to), 0, parallel_);
    const Duplex& cable = global_[at(pair_index(a, b) * parallel_ + c)];
    append_local(first, router_with(a, b, c), path);
    path.push_back(a < b ? cable.up : cable.down);
    append_local(router_with(b, a, c), last, path);
  }
  path.push_back(port(to).down);
}

}  // namespace flotilla::topology
