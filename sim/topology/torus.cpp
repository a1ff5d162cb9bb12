#include "sim/topology/torus.h"

#include <algorithm>

namespace flotilla::topology {

Torus::Torus(const config::Platform& platform, const NicRow& nics, Wiring& wiring)
    : nics_per_node_(nics.per_node) {
  const config::Torus& torus = platform.network.torus;
  const BytesPerSecond rate = torus.cable.bandwidth * platform.node.nic.efficiency;
  std::vector<Vertex> router;
  for (std::int64_t n = 0; n < platform.nodes; ++n) {
    router.push_back(wiring.add_vertex({.kind = VertexKind::router, .number = n}));
  }
  for (std::size_t n = 0; n < nics.vertices.size(); ++n) {
    const Vertex own = router[n / static_cast<std::size_t>(nics_per_node_)];
    port_.push_back(wiring.join(nics.vertices[n], own, nics.rate, nics.latency));
  }
  std::int64_t stride = 1;
  for (const std::int64_t length : torus.dimensions) {
    Dimension d{.length = length, .stride = stride, .next = {}};
    for (std::int64_t n = 0; n < platform.nodes; ++n) {
      // A line of two has one cable, not one each way round.
      const bool closes_two = length == 2 && n / stride % length == 1;
      if (length == 1 || closes_two) {
        d.next.emplace_back();
      } else {
        d.next.push_back(
            wiring.join(router[at(n)], router[at(step(d, n, 1))], rate, torus.cable.latency));
      }
    }
    dimensions_.push_back(std::move(d));
    stride *= length;
  }
}

std::int64_t Torus::step(const Dimension& d, std::int64_t node, std::int64_t by) {
  const std::int64_t here = node / d.stride % d.length;
  return node + ((here + by + d.length) % d.length - here) * d.stride;
}

void Torus::append_route(Nic from, Nic to, Path& path) const {
  path.push_back(port(from).up);
  std::int64_t node = from / nics_per_node_;
  const std::int64_t target = to / nics_per_node_;
  for (const Dimension& d : dimensions_) {
    const std::int64_t ahead = (target / d.stride - node / d.stride) % d.length;
    const std::int64_t forward = (ahead + d.length) % d.length;
    // A line of two has its one cable at coordinate 0.
    const bool up = 2 * forward <= d.length && !(d.length == 2 && node / d.stride % 2 == 1);
    for (std::int64_t left = up ? forward : (d.length - forward) % d.length; left > 0; --left) {
      const std::int64_t next = step(d, node, up ? 1 : -1);
      path.push_back(up ? d.next[at(node)].up : d.next[at(next)].down);
      node = next;
    }
  }
  path.push_back(port(to).down);
}

bool Torus::in_first_half(std::int64_t node, std::int64_t nodes) const {
  const auto longest =
      std::max_element(dimensions_.begin(), dimensions_.end(),
                       [](const Dimension& a, const Dimension& b) { return a.length < b.length; });
  if (longest->length % 2 != 0) return Network::in_first_half(node, nodes);
  return node / longest->stride % longest->length < longest->length / 2;
}

}  // namespace flotilla::topology
