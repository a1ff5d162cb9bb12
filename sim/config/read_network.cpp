#include <algorithm>
#include <cmath>

#include "sim/config/read.h"
#include "sim/config/read_cable_list.h"

namespace flotilla::config {

namespace {

constexpr Range kNodes = {1, 100'000};
constexpr double kMostLinks = 4e6;  // each takes about 200 bytes
constexpr Range kUplinks = {1, 1'024};
constexpr Range kRouters = {1, 100'000};
constexpr Range kPorts = {1, 1'024};

std::string text(std::int64_t value) { return std::to_string(value); }

void read_tier(Reader in, Tier& tier) {
  in.require({"nodes"});
  in.text("name", tier.name);
  in.count("nodes", tier.nodes, kNodes);
  in.number("oversubscription", tier.oversubscription, 1, 1'000);
  in.quantity("latency", tier.latency, Zero::allowed);
  in.count("uplinks", tier.uplinks, kUplinks);
  in.finish();
}

void read_cable(Reader in, Cable& cable) {
  in.require({"bandwidth", "latency"});
  in.quantity("bandwidth", cable.bandwidth);
  in.quantity("latency", cable.latency, Zero::allowed);
  in.finish();
}

void read_fat_tree(Reader& in, FatTree& tree) {
  in.require({"radix"});
  in.count("radix", tree.radix, {2, 1'024});
  in.count("levels", tree.levels, {2, 3});
  in.quantity("latency", tree.latency, Zero::allowed);
}

void read_dragonfly(Reader& in, Dragonfly& d) {
  in.require({"groups", "routers", "nics_per_router", "local", "global"});
  in.count("groups", d.groups, kRouters);
  in.count("routers", d.routers, kPorts);
  in.count("nics_per_router", d.nics_per_router, kPorts);
  in.count("global_per_router", d.global_per_router, {0, kPorts.largest});
  if (const auto local = in.object("local")) read_cable(*local, d.local);
  if (const auto global = in.object("global")) read_cable(*global, d.global);
}

void read_torus(Reader& in, Torus& torus) {
  in.require({"dimensions", "cable"});
  in.counts("dimensions", torus.dimensions, kNodes);
  if (const auto cable = in.object("cable")) read_cable(*cable, torus.cable);
}

void read_network_kind(Reader in, const Platform& platform, Network& network) {
  in.require({"kind"});
  in.choice("kind", network.kind, network_kinds());
  const bool known = in.has("kind") && in.sound("kind");
  const bool layered = network.kind == NetworkKind::clos || network.kind == NetworkKind::rail ||
                       network.kind == NetworkKind::fat_tree;
  // Paths of a dragonfly or a list differ in where they go: there is nothing to merge.
  if (layered) {
    in.choice("balance", network.balance,
              Choices<Balance>{{"ideal", Balance::ideal}, {"hash", Balance::hash}});
  }
  switch (network.kind) {
    case NetworkKind::clos:
    case NetworkKind::rail:
      break;
    case NetworkKind::fat_tree:
      read_fat_tree(in, network.fat_tree);
      break;
    case NetworkKind::dragonfly:
      read_dragonfly(in, network.dragonfly);
      break;
    case NetworkKind::torus:
      read_torus(in, network.torus);
      break;
    case NetworkKind::list:
      read_cable_list(in, platform, network.list);
      break;
  }
  if (known) in.finish();  // otherwise it is not known which keys belong here
}

// NICs that the network sees: those of one GPU are one port.
std::int64_t network_ports(const Platform& platform) {
  const Node& node = platform.node;
  const std::int64_t each = node.nic_of_gpu.empty() ? std::min(node.nics, node.gpus) : node.nics;
  return platform.nodes * each;
}

// Each tier holds whole groups of the one below it. Above the outermost one a core joins the rest.
void check_tiers(Reader& in, const Platform& platform) {
  const std::vector<Reader> readers = in.objects("tiers");
  for (std::size_t i = 1; i < platform.tiers.size(); ++i) {
    const std::int64_t inner = platform.tiers[i - 1].nodes;
    const std::int64_t outer = platform.tiers[i].nodes;
    if (outer > inner && outer % inner == 0) continue;
    Reader reader = readers[i];
    const std::int64_t below = outer / inner * inner;
    std::string hint = "nearest that work: ";
    if (below > inner) hint += text(below) + ", ";
    reader.fault("nodes",
                 "a group of this layer holds whole groups of the one below: expected a "
                 "multiple of " +
                     text(inner),
                 hint + text(std::max(below, inner) + inner));
  }
}

void check_fat_tree(Reader in, const FatTree& tree, std::int64_t ports) {
  const auto capacity = [&](std::int64_t k) {
    return tree.levels == 2 ? k * k / 2 : k * k * k / 4;
  };
  if (tree.radix % 2 != 0) {
    in.fault("radix", "half of a switch's ports go down, half up: expected an even number",
             "nearest that work: " + text(tree.radix - 1) + ", " + text(tree.radix + 1));
  } else if (ports > capacity(tree.radix)) {
    std::int64_t enough = tree.radix;
    while (capacity(enough) < ports) enough += 2;
    in.fault("radix",
             "a fat tree of radix " + text(tree.radix) + " with " + text(tree.levels) +
                 " levels has " + text(capacity(tree.radix)) + " ports (" +
                 (tree.levels == 2 ? "radix^2 / 2" : "radix^3 / 4") + "), the nodes need " +
                 text(ports),
             "the smallest radix that works: " + text(enough));
  }
}

void check_dragonfly(Reader in, const Dragonfly& d, std::int64_t ports) {
  const std::int64_t there = d.groups * d.routers * d.nics_per_router;
  if (ports > there) {
    in.fault("groups", text(d.groups) + " groups x " + text(d.routers) + " routers x " +
                           text(d.nics_per_router) + " NICs = " + text(there) +
                           " ports, the nodes need " + text(ports));
  }
  const std::int64_t cables = d.routers * d.global_per_router;
  if (d.groups > 1 && (cables == 0 || cables % (d.groups - 1) != 0)) {
    in.fault("global_per_router", "routers " + text(d.routers) + " x global_per_router " +
                                      text(d.global_per_router) + " = " + text(cables) +
                                      " cables of a group do not divide over the " +
                                      text(d.groups - 1) + " other groups");
  }
}

// Links that the machine would have; as a double, for sizes that no machine has.
double links_of(const Platform& platform, std::int64_t ports) {
  const auto nodes = static_cast<double>(platform.nodes);
  double links = nodes * static_cast<double>(platform.node.gpus + std::ssize(platform.node.mesh)) +
                 static_cast<double>(ports);
  const Network& network = platform.network;
  if (network.kind == NetworkKind::dragonfly) {
    const Dragonfly& d = network.dragonfly;
    const auto groups = static_cast<double>(d.groups);
    const auto routers = static_cast<double>(d.routers);
    links += groups * routers * (routers / 2 + static_cast<double>(d.global_per_router) / 2);
  }
  if (network.balance == Balance::hash) {
    double members = 1;  // parallel switches of a group
    for (const Tier& tier : platform.tiers) {
      members *= static_cast<double>(tier.uplinks);
      links += std::ceil(nodes / static_cast<double>(tier.nodes)) * members *
               (network.kind == NetworkKind::rail ? static_cast<double>(platform.node.nics) : 1);
    }
  }
  return links;
}

void check_torus(Reader in, const Torus& torus, std::int64_t nodes) {
  std::string product;
  std::int64_t places = 1;
  for (const std::int64_t length : torus.dimensions) {
    product += (product.empty() ? "" : " x ") + text(length);
    places = std::min<std::int64_t>(places * length, std::int64_t{1} << 40);
  }
  if (places == nodes && !torus.dimensions.empty()) return;
  in.fault("dimensions", product + " = " + text(places) + " places for " + text(nodes) +
                             " nodes: they must be equal");
}

}  // namespace

const Choices<NetworkKind>& network_kinds() {
  static const Choices<NetworkKind> kinds = {
      {"clos", NetworkKind::clos},         {"rail", NetworkKind::rail},
      {"fat-tree", NetworkKind::fat_tree}, {"dragonfly", NetworkKind::dragonfly},
      {"torus", NetworkKind::torus},       {"list", NetworkKind::list}};
  return kinds;
}

void read_network(Reader& in, Platform& platform) {
  for (const Reader& reader : in.objects("tiers")) {
    Tier tier;
    read_tier(reader, tier);
    platform.tiers.push_back(tier);
  }
  if (const auto network = in.object("network")) {
    read_network_kind(*network, platform, platform.network);
  }
}

void check_network(Reader& in, const Platform& platform) {
  if (in.sound("tiers")) check_tiers(in, platform);
  if (!in.sound("tiers") || !in.sound("network") || !in.sound("nodes") || !in.sound("node")) return;
  const auto network = in.object("network");
  if (!network) return;
  const std::int64_t ports = network_ports(platform);
  const NetworkKind kind = platform.network.kind;
  if (!platform.tiers.empty() && kind != NetworkKind::clos && kind != NetworkKind::rail) {
    in.fault("tiers", "belong to a network of kind \"clos\" or \"rail\"",
             "\"network\" describes its switches itself");
  }
  if (kind == NetworkKind::fat_tree) check_fat_tree(*network, platform.network.fat_tree, ports);
  if (kind == NetworkKind::dragonfly) check_dragonfly(*network, platform.network.dragonfly, ports);
  if (kind == NetworkKind::torus) check_torus(*network, platform.network.torus, platform.nodes);
  if (links_of(platform, ports) > kMostLinks) {
    in.fault("network", "this machine has more links than can be simulated: " +
                            text(static_cast<std::int64_t>(kMostLinks)));
  }
  if (kind == NetworkKind::list) check_cable_list(*network, platform);
}

}  // namespace flotilla::config
