#include "sim/topology/clos.h"

#include "sim/topology/path_hash.h"

namespace flotilla::topology {

Clos::Clos(ClosPlan plan, const NicRow& nics, Wiring& wiring) : plan_(std::move(plan)) {
  wire(wiring);
  const Seconds latency = nics.latency + plan_.layers.front().latency / 2;
  port_.reserve(nics.vertices.size());
  for (std::size_t n = 0; n < nics.vertices.size(); ++n) {
    const Vertex leaf = switch_.front()[at(plan_.group_of_nic[n])];
    port_.push_back(wiring.join(nics.vertices[n], leaf, nics.rate, latency));
  }
}

// Switch j of a group has u uplinks to the switches j u ... j u + u - 1 of the group above, so the
// group above has u times as many switches.
void Clos::wire(Wiring& wiring) {
  std::int64_t members = 1;
  for (std::size_t t = 0; t < plan_.layers.size(); ++t) {
    const ClosPlan::Layer& layer = plan_.layers[t];
    wiring.tier_names.push_back(layer.name);
    members_.push_back(members);
    switch_.emplace_back();
    for (std::int64_t i = 0; i < layer.groups * members; ++i) {
      switch_.back().push_back(
          wiring.add_vertex({.kind = VertexKind::network_switch,
                             .tier = static_cast<std::int32_t>(t),
                             .number = i / members,
                             .part = members > 1 ? static_cast<std::int32_t>(i % members) : -1}));
    }
    members *= layer.uplinks;
  }
  uplinks_.resize(plan_.layers.size());
  for (std::size_t t = 0; t + 1 < plan_.layers.size(); ++t) {
    const ClosPlan::Layer& layer = plan_.layers[t];
    const BytesPerSecond each = layer.width / static_cast<double>(members_[t] * layer.uplinks);
    const Seconds latency = layer.latency / 2 + plan_.layers[t + 1].latency / 2;
    for (std::int64_t s = 0; s < layer.groups * members_[t]; ++s) {
      const std::int64_t above = layer.above[at(s / members_[t])];
      for (std::int64_t u = 0; u < layer.uplinks; ++u) {
        const std::int64_t parent = above * members_[t + 1] + s % members_[t] * layer.uplinks + u;
        uplinks_[t].push_back(
            wiring.join(switch_[t][at(s)], switch_[t + 1][at(parent)], each, latency));
      }
    }
  }
}

const Duplex& Clos::uplink(std::size_t layer, std::int64_t group, std::int64_t member,
                           std::int64_t choice) const {
  const std::int64_t s = group * members_[layer] + member;
  return uplinks_[layer][at(s * plan_.layers[layer].uplinks + choice)];
}

void Clos::append_route(Nic from, Nic to, Path& path) const {
  path.push_back(port(from).up);
  std::int64_t a = plan_.group_of_nic[at(from)];
  std::int64_t b = plan_.group_of_nic[at(to)];
  std::int64_t member = 0;
  Path down;
  for (std::size_t t = 0; a != b; ++t) {
    const ClosPlan::Layer& layer = plan_.layers[t];
    // The choices on the way up decide the way down: one switch of each layer leads to both ends.
    const std::int64_t choice = choose_path(from, to, static_cast<std::int64_t>(t), layer.uplinks);
    path.push_back(uplink(t, a, member, choice).up);
    down.push_back(uplink(t, b, member, choice).down);
    a = layer.above[at(a)];
    b = layer.above[at(b)];
    member = member * layer.uplinks + choice;
  }
  path.insert(path.end(), down.rbegin(), down.rend());
  path.push_back(port(to).down);
}

}  // namespace flotilla::topology
