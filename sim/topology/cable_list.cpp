#include "sim/topology/cable_list.h"

#include <algorithm>
#include <deque>

#include "sim/topology/path_hash.h"

namespace flotilla::topology {

CableList::CableList(const config::Platform& platform, const NicRow& nics, Wiring& wiring) {
  const config::ListedNetwork& list = platform.network.list;
  std::vector<Vertex> switches;
  for (std::size_t s = 0; s < list.switches.size(); ++s) {
    wiring.tier_names.push_back(list.switches[s]);
    switches.push_back(wiring.add_vertex(
        {.kind = VertexKind::network_switch, .tier = static_cast<std::int32_t>(s), .number = -1}));
  }
  hops_.resize(switches.size());
  port_.resize(nics.vertices.size());
  switch_of_.resize(nics.vertices.size(), 0);
  for (const config::ListedCable& listed : list.cables) {
    const BytesPerSecond rate =
        listed.cable.bandwidth * platform.node.nic.efficiency * static_cast<double>(listed.count);
    const auto above = static_cast<std::size_t>(listed.from.a_switch);
    if (listed.to.a_switch >= 0) {
      const auto below = static_cast<std::size_t>(listed.to.a_switch);
      const Duplex cable =
          wiring.join(switches[below], switches[above], rate, listed.cable.latency);
      hops_[below].push_back({above, cable.up});
      hops_[above].push_back({below, cable.down});
      continue;
    }
    const Seconds latency = nics.latency + listed.cable.latency;
    for (std::int64_t node = listed.to.first_node; node <= listed.to.last_node; ++node) {
      for (std::int64_t k = 0; k < nics.per_node; ++k) {
        if (listed.to.nic >= 0 && listed.to.nic != k) continue;
        const std::size_t nic = at(node * nics.per_node + k);
        port_[nic] =
            wiring.join(nics.vertices[nic], switches[above], std::min(rate, nics.rate), latency);
        switch_of_[nic] = above;
      }
    }
  }
}

const CableList::Distances& CableList::distances_to(std::size_t target) const {
  const std::lock_guard lock(mutex_);
  const auto [entry, fresh] = distances_.try_emplace(target);
  Distances& distance = entry->second;
  if (!fresh) return distance;
  distance.assign(hops_.size(), -1);
  distance[target] = 0;
  std::deque<std::size_t> next{target};
  while (!next.empty()) {
    const std::size_t here = next.front();
    next.pop_front();
    for (const Hop& hop : hops_[here]) {  // cables go both ways
      if (distance[hop.to] >= 0) continue;
      distance[hop.to] = distance[here] + 1;
      next.push_back(hop.to);
    }
  }
  return distance;
}

void CableList::append_route(Nic from, Nic to, Path& path) const {
  path.push_back(port(from).up);
  std::size_t here = switch_of_[at(from)];
  const std::size_t target = switch_of_[at(to)];
  const Distances& distance = distances_to(target);
  while (here != target) {
    std::vector<Hop> nearer;
    for (const Hop& hop : hops_[here]) {
      if (distance[hop.to] == distance[here] - 1) nearer.push_back(hop);
    }
    const Hop& hop = nearer[at(choose_path(from, to, distance[here], std::ssize(nearer)))];
    path.push_back(hop.edge);
    here = hop.to;
  }
  path.push_back(port(to).down);
}

}  // namespace flotilla::topology
