#include "sim/topology/clos_plan.h"

#include <algorithm>

namespace flotilla::topology {

namespace {

using config::Balance;
using config::Tier;

std::int64_t groups_of(std::int64_t members, std::int64_t size) {
  return (members + size - 1) / size;
}

// The tiers, with a core above them when the outermost does not hold all nodes.
std::vector<Tier> tiers_to_the_top(const config::Platform& platform) {
  std::vector<Tier> tiers = platform.tiers;
  if (tiers.empty() || tiers.back().nodes < platform.nodes) {
    tiers.push_back({.name = "core", .nodes = platform.nodes});
  }
  return tiers;
}

std::int64_t uplinks(const config::Platform& platform, const Tier& tier) {
  return platform.network.balance == Balance::hash ? tier.uplinks : 1;
}

std::string name_or(const Tier& tier, std::size_t t) {
  return tier.name.empty() ? "layer " + std::to_string(t) : tier.name;
}

// A layer of whole groups of nodes, below a layer of groups of `outer` nodes.
ClosPlan::Layer layer_of(const config::Platform& platform, const Tier& tier, std::size_t t,
                         std::int64_t outer) {
  const config::Node& node = platform.node;
  ClosPlan::Layer layer;
  layer.name = name_or(tier, t);
  layer.latency = tier.latency;
  layer.groups = groups_of(platform.nodes, tier.nodes);
  layer.width = node.nic.attained() * static_cast<double>(node.nics) *
                (static_cast<double>(tier.nodes) / tier.oversubscription);
  layer.uplinks = uplinks(platform, tier);
  for (std::int64_t g = 0; g < layer.groups; ++g) layer.above.push_back(g * tier.nodes / outer);
  return layer;
}

}  // namespace

ClosPlan plan_tiers(const config::Platform& platform, const NicRow& nics) {
  const std::vector<Tier> tiers = tiers_to_the_top(platform);
  ClosPlan plan;
  for (std::size_t t = 0; t < tiers.size(); ++t) {
    const std::int64_t outer = t + 1 < tiers.size() ? tiers[t + 1].nodes : platform.nodes;
    plan.layers.push_back(layer_of(platform, tiers[t], t, outer));
    if (plan.layers.back().groups == 1) break;  // it joins everything
  }
  for (std::size_t n = 0; n < nics.vertices.size(); ++n) {
    const std::int64_t node = static_cast<std::int64_t>(n) / nics.per_node;
    plan.group_of_nic.push_back(node / tiers.front().nodes);
  }
  return plan;
}

ClosPlan plan_rails(const config::Platform& platform, const NicRow& nics) {
  std::vector<Tier> tiers = platform.tiers;
  if (tiers.empty()) tiers.push_back({.name = "rail", .nodes = platform.nodes});
  const Tier inner = tiers.front();
  // Something joins the rails even when one group holds all nodes.
  if (tiers.size() == 1 || tiers.back().nodes < platform.nodes) {
    tiers.push_back({.name = "spine", .nodes = std::max(platform.nodes, inner.nodes)});
  }
  ClosPlan plan;
  ClosPlan::Layer rails;
  rails.name = name_or(inner, 0);
  rails.latency = inner.latency;
  rails.groups = groups_of(platform.nodes, inner.nodes) * nics.per_node;
  rails.width = nics.rate * (static_cast<double>(inner.nodes) / inner.oversubscription);
  rails.uplinks = uplinks(platform, inner);
  for (std::int64_t g = 0; g < rails.groups; ++g) {
    rails.above.push_back(g / nics.per_node * inner.nodes / tiers[1].nodes);
  }
  plan.layers.push_back(std::move(rails));
  for (std::size_t t = 1; t < tiers.size(); ++t) {
    const std::int64_t outer = t + 1 < tiers.size() ? tiers[t + 1].nodes : platform.nodes;
    plan.layers.push_back(layer_of(platform, tiers[t], t, outer));
    if (plan.layers.back().groups == 1) break;
  }
  for (std::size_t n = 0; n < nics.vertices.size(); ++n) {
    const auto nic = static_cast<std::int64_t>(n);
    const std::int64_t node = nic / nics.per_node;
    plan.group_of_nic.push_back(node / inner.nodes * nics.per_node + nic % nics.per_node);
  }
  return plan;
}

ClosPlan plan_fat_tree(const config::Platform& platform, const NicRow& nics) {
  const config::FatTree& tree = platform.network.fat_tree;
  const std::int64_t half = tree.radix / 2;
  const auto count = static_cast<std::int64_t>(nics.vertices.size());
  const bool hash = platform.network.balance == Balance::hash;
  const auto layer = [&](const char* name, std::int64_t members, std::int64_t children) {
    ClosPlan::Layer l;
    l.name = name;
    l.latency = tree.latency;
    l.groups = groups_of(count, members);
    l.width = nics.rate * static_cast<double>(members);
    l.uplinks = hash ? half : 1;
    for (std::int64_t g = 0; g < l.groups; ++g) l.above.push_back(g / children);
    return l;
  };
  ClosPlan plan;
  const std::int64_t everything = groups_of(count, half);
  plan.layers.push_back(layer("leaf", half, tree.levels == 3 ? half : everything));
  if (tree.levels == 3) {
    plan.layers.push_back(layer("pod", half * half, groups_of(count, half * half)));
  }
  plan.layers.push_back(layer(tree.levels == 3 ? "core" : "spine", count, 1));
  for (std::int64_t n = 0; n < count; ++n) plan.group_of_nic.push_back(n / half);
  return plan;
}

}  // namespace flotilla::topology
