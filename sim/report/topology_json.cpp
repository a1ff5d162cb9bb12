#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/config/read.h"
#include "sim/report/json.h"
#include "sim/report/topology_page.h"

namespace flotilla::report {

namespace {

using Json = nlohmann::ordered_json;
using topology::VertexKind;

constexpr std::size_t kMostDrawn = 2'000;  // vertices of a picture with everything in it

const char* fabric_name(config::NodeFabric fabric) {
  switch (fabric) {
    case config::NodeFabric::nvswitch:
      return "nvswitch";
    case config::NodeFabric::mesh:
      return "mesh";
    case config::NodeFabric::pcie:
      return "pcie";
  }
  return "";
}

Json route_json(const topology::Fabric& fabric, const GpuPair& pair) {
  const topology::Wiring& wiring = fabric.wiring();
  Json hops = Json::array();
  Seconds latency;
  Json slowest = nullptr;  // of a GPU to itself: no link limits it
  for (const topology::EdgeIndex e : fabric.route(pair.first, pair.second)) {
    const topology::EdgeProperties& edge = fabric.edge(e);
    hops.push_back({{"from", wiring.name(wiring.source(e))},
                    {"to", wiring.name(wiring.target(e))},
                    {"bandwidth_Bps", edge.capacity.value()},
                    {"latency_s", edge.latency.value()}});
    latency += edge.latency;
    const double rate = edge.capacity.value();
    if (slowest.is_null() || slowest.get<double>() > rate) slowest = rate;
  }
  return {{"from", pair.first},
          {"to", pair.second},
          {"bandwidth_Bps", std::move(slowest)},
          {"latency_s", latency.value()},
          {"hops", std::move(hops)}};
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

bool outside_nodes(const topology::VertexProperties& v) {
  return v.kind == VertexKind::nic || v.kind == VertexKind::network_switch ||
         v.kind == VertexKind::router;
}

}  // namespace

std::string topology_json(const TopologyView& view) {
  const config::Platform& platform = view.platform;
  Json links = Json::array();
  for (const LinkClass& link : link_classes(view.fabric)) {
    links.push_back({{"lower", link.lower},
                     {"upper", link.upper},
                     {"count", link.count},
                     {"bandwidth_Bps", link.bandwidth.value()},
                     {"latency_s", link.latency.value()}});
  }
  Json document = {{"schema", 1},
                   {"platform", platform.name},
                   {"gpu", platform.gpu.name},
                   {"gpus", platform.gpus()},
                   {"nodes", platform.nodes},
                   {"node",
                    {{"gpus", platform.node.gpus},
                     {"fabric", fabric_name(platform.node.fabric)},
                     {"nics", platform.node.nics},
                     {"gpus_per_nic", view.fabric.gpus_per_nic()}}}};
  document["network"] = nullptr;
  if (platform.nodes > 1) {
    const bool hash = platform.network.balance == config::Balance::hash;
    document["network"] = {
        {"kind", config::name_of(platform.network.kind, config::network_kinds())},
        {"balance", hash ? "hash" : "ideal"}};
  }
  document["links"] = std::move(links);
  document["bisection"] = nullptr;
  if (view.bisection.gpus_in_half > 0) {
    document["bisection"] = {{"gpus_in_half", view.bisection.gpus_in_half},
                             {"bandwidth_Bps", view.bisection.bandwidth.value()},
                             {"injection_Bps", view.bisection.injection.value()},
                             {"oversubscription", view.bisection.oversubscription()}};
  }
  document["routes"] = Json::array();
  for (const GpuPair& pair : view.routes) {
    document["routes"].push_back(route_json(view.fabric, pair));
  }
  return json_text(document);
}

std::string topology_dot(const TopologyView& view) {
  const topology::Wiring& wiring = view.fabric.wiring();
  const topology::Graph& graph = wiring.graph();
  const bool all = boost::num_vertices(graph) <= kMostDrawn;
  const auto drawn = [&](topology::Vertex v) { return all || outside_nodes(graph[v]); };
  std::ostringstream out;
  out << "graph " << quoted(view.platform.name) << " {\n  node [shape=box];\n";
  for (topology::Vertex v = 0; v < boost::num_vertices(graph); ++v) {
    if (drawn(v)) out << "  " << quoted(wiring.name(v)) << ";\n";
  }
  if (all && view.fabric.network() != nullptr) {
    for (topology::Gpu gpu = 0; gpu < view.fabric.gpus(); ++gpu) {
      const auto nic = static_cast<std::size_t>(view.fabric.nic_of(gpu));
      out << "  " << quoted("gpu " + std::to_string(gpu)) << " -- "
          << quoted(wiring.name(view.fabric.devices().nics[nic])) << " [style=dashed];\n";
    }
  }
  for (std::size_t i = 0; i < view.fabric.edge_count(); i += 2) {
    const auto e = static_cast<topology::EdgeIndex>(i);
    const topology::Vertex a = wiring.source(e);
    const topology::Vertex b = wiring.target(e);
    if (!drawn(a) || !drawn(b)) continue;
    out << "  " << quoted(wiring.name(a)) << " -- " << quoted(wiring.name(b))
        << " [label=" << quoted(to_text(view.fabric.edge(e).capacity)) << "];\n";
  }
  out << "}\n";
  return out.str();
}

}  // namespace flotilla::report
