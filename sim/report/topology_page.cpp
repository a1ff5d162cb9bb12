#include "sim/report/topology_page.h"

#include <algorithm>
#include <cmath>

#include "sim/config/read.h"
#include "sim/report/table.h"
#include "sim/report/words.h"

namespace flotilla::report {

namespace {

// "full" or "1:7".
std::string ratio_text(double ratio) { return ratio < 1.005 ? "full" : "1:" + three_digits(ratio); }

std::string plural(std::int64_t count, const char* word) {
  return grouped(count) + " " + word + (count == 1 ? "" : "s");
}

std::string node_words(const config::Node& node) {
  std::string words;
  const std::string port = to_text(node.link.attained());
  if (node.gpus == 1) {
    words = "one GPU";
  } else if (!node.mesh.empty()) {
    words = grouped(std::ssize(node.mesh)) + " of " +
            plural(node.gpus * (node.gpus - 1) / 2, "pair") + " of GPUs joined directly" +
            (node.pcie ? ", the others over PCIe" : "");
  } else if (node.pcie) {
    words = "PCIe: ";
    if (node.pcie->switches > 0) {
      words += grouped(node.pcie->switches) + (node.pcie->switches == 1 ? " switch" : " switches") +
               " on ";
    }
    words += plural(node.pcie->sockets, "socket") + ", a port of " + port + " a GPU";
  } else {
    const bool nvswitch = node.fabric == config::NodeFabric::nvswitch;
    words = std::string(nvswitch                                  ? "a switch"
                        : node.fabric == config::NodeFabric::pcie ? "PCIe"
                                                                  : "a full mesh") +
            ", a port of " + port + " a GPU";
  }
  if (node.nics > 0)
    words += "; " + plural(node.nics, "NIC") + " of " + to_text(node.nic.attained());
  return words;
}

std::string network_words(const config::Platform& platform) {
  const config::Network& network = platform.network;
  const bool hash = network.balance == config::Balance::hash;
  const std::string spread = hash ? ", flows spread by hash" : ", flows spread evenly";
  switch (network.kind) {
    case config::NetworkKind::clos:
      return "layers of switches" + spread;
    case config::NetworkKind::rail:
      return "rails: the k-th NICs of a group of nodes share a switch" + spread;
    case config::NetworkKind::fat_tree:
      return "fat tree of radix " + grouped(network.fat_tree.radix) + " with " +
             grouped(network.fat_tree.levels) + " levels" + spread;
    case config::NetworkKind::dragonfly:
      return "dragonfly: " + plural(network.dragonfly.groups, "group") + " of " +
             plural(network.dragonfly.routers, "router") + ", shortest paths";
    case config::NetworkKind::torus: {
      std::string shape;
      for (const std::int64_t length : network.torus.dimensions) {
        shape += (shape.empty() ? "" : " x ") + grouped(length);
      }
      return "torus of " + shape + ", dimension by dimension";
    }
    case config::NetworkKind::list:
      return plural(std::ssize(network.list.switches), "listed switch") +
             "es, shortest paths, equal ones by hash";
  }
  return "";
}

std::string links_table(const topology::Fabric& fabric, const Style& style) {
  constexpr std::size_t most_rows = 24;
  const std::vector<LinkClass> classes = link_classes(fabric);
  Table table;
  table.columns = {{"Links", Align::left},
                   {"count", Align::right},
                   {"each", Align::right},
                   {"latency", Align::right, 1},
                   {"from below : upwards", Align::right, 2}};
  for (const LinkClass& link : classes) {
    if (table.rows.size() == most_rows) {
      table.rows.push_back({{"... and " + grouped(std::ssize(classes) - std::ssize(table.rows)) +
                             " more kinds of links"}});
      break;
    }
    // Of a layer of switches: what enters it from below over what leaves it upwards.
    BytesPerSecond below;
    BytesPerSecond above;
    for (const LinkClass& other : classes) {
      const BytesPerSecond all = other.bandwidth * static_cast<double>(other.count);
      if (other.upper == link.lower && other.lower != link.lower) below += all;
      if (other.lower == link.lower && other.upper != link.lower) above += all;
    }
    const bool layer = below > BytesPerSecond(0) && link.upper != link.lower;
    table.rows.push_back({{printable(link.lower + " - " + link.upper)},
                          {grouped(link.count)},
                          {to_text(link.bandwidth)},
                          {to_text(link.latency)},
                          {layer ? ratio_text(below / above) : ""}});
  }
  return table.to_text(style);
}

std::string route_table(const topology::Fabric& fabric, const GpuPair& pair, const Style& style) {
  const topology::Path path = fabric.route(pair.first, pair.second);
  const topology::Wiring& wiring = fabric.wiring();
  Table table;
  table.columns = {{"Route " + grouped(pair.first) + " to " + grouped(pair.second), Align::left},
                   {"bandwidth", Align::right},
                   {"latency", Align::right}};
  if (path.empty()) {
    table.rows.push_back({{"stays on the GPU"}});
    return table.to_text(style);
  }
  BytesPerSecond slowest = fabric.edge(path.front()).capacity;
  Seconds total;
  for (const topology::EdgeIndex e : path) {
    const topology::EdgeProperties& edge = fabric.edge(e);
    slowest = std::min(slowest, edge.capacity);
    total += edge.latency;
    table.rows.push_back(
        {{printable(wiring.name(wiring.source(e)) + " - " + wiring.name(wiring.target(e)))},
         {to_text(edge.capacity)},
         {to_text(edge.latency)}});
  }
  table.rows.push_back({{"alone on it", Paint::strong}, {to_text(slowest)}, {to_text(total)}});
  return table.to_text(style);
}

std::string bisection_words(const TopologyView& view) {
  const topology::Bisection& cut = view.bisection;
  if (cut.gpus_in_half == 0) return "";
  return to_text(cut.bandwidth) + " one way, half of the GPUs (" + grouped(cut.gpus_in_half) +
         ") to the others; they can send " + to_text(cut.injection) + ": " +
         (cut.oversubscription() < 1.005 ? "full bisection"
                                         : "oversubscribed " + ratio_text(cut.oversubscription()));
}

// "  Label         words that may take several lines".
std::string fact(const std::string& label, const std::string& words, const Style& style) {
  constexpr int indent = 16;
  std::string text;
  for (const std::string& line : wrapped(words, style.width - indent, style)) {
    text += padded_right(text.empty() ? "  " + label : "", indent) + line + "\n";
  }
  return text;
}

}  // namespace

std::string topology_page(const TopologyView& view, const Style& style) {
  const config::Platform& platform = view.platform;
  const std::string times = style.unicode ? " \u00d7 " : " x ";
  std::string page =
      painted(shortened(printable(platform.name), style.width, style), Paint::strong, style) + "\n";
  page += shortened(grouped(platform.gpus()) + times + printable(platform.gpu.name) + ", " +
                        plural(platform.nodes, "node") + " of " + grouped(platform.node.gpus),
                    style.width, style) +
          "\n\n";
  page += fact("In a node", node_words(platform.node), style);
  if (platform.nodes > 1) page += fact("Network", network_words(platform), style);
  const std::string halves = bisection_words(view);
  if (!halves.empty()) page += fact("Bisection", halves, style);
  page += "\n" + links_table(view.fabric, style);
  for (const GpuPair& pair : view.routes) page += "\n" + route_table(view.fabric, pair, style);
  return page;
}

}  // namespace flotilla::report
