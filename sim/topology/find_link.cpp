#include "sim/topology/find_link.h"

#include <algorithm>
#include <optional>

#include "sim/config/problem.h"
#include "sim/config/reader.h"

namespace flotilla::topology {

namespace {

constexpr std::size_t kMostCandidates = 3'000;  // names that a misspelt one is compared with

std::optional<Vertex> find_vertex(const Wiring& wiring, const std::string& name) {
  for (Vertex v = 0; v < boost::num_vertices(wiring.graph()); ++v) {
    if (wiring.name(v) == name) return v;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const config::Degraded& degraded, const std::string& message,
                         const std::string& hint) {
  throw config::InvalidInput({config::make_problem(degraded.place, degraded.path, message, hint)});
}

Vertex element(const Wiring& wiring, const std::string& name, const config::Degraded& degraded) {
  if (const auto vertex = find_vertex(wiring, name)) return *vertex;
  std::vector<std::string> alike;
  for (Vertex v = 0; v < boost::num_vertices(wiring.graph()); ++v) {
    std::string other = wiring.name(v);
    if (other.substr(0, 1) == name.substr(0, 1) && alike.size() < kMostCandidates)
      alike.push_back(other);
  }
  const std::string near = config::nearest(name, alike);
  refuse(degraded, "this machine has no \"" + name + "\"",
         near.empty() ? "names: \"gpu 0\", \"node 0 switch\", \"node 0 nic 0\" and the layers of "
                        "switches; `flotilla topology PLATFORM --route 0 9` shows them along a way"
                      : "did you mean \"" + near + "\"?");
}

std::string neighbours(const Wiring& wiring, Vertex vertex) {
  std::vector<std::string> names;
  for (auto [e, end] = boost::out_edges(vertex, wiring.graph()); e != end; ++e) {
    names.push_back("\"" + wiring.name(boost::target(*e, wiring.graph())) + "\"");
  }
  return config::listed(names, 6);
}

}  // namespace

Path find_link(const Wiring& wiring, const config::Degraded& degraded) {
  const std::size_t dash = degraded.link.find(" - ");
  const Vertex a = element(wiring, degraded.link.substr(0, dash), degraded);
  std::optional<Vertex> b;
  if (dash != std::string::npos) b = element(wiring, degraded.link.substr(dash + 3), degraded);
  Path edges;
  for (std::size_t i = 0; i < wiring.edge_count(); ++i) {
    const auto e = static_cast<EdgeIndex>(i);
    const Vertex from = wiring.source(e);
    const Vertex to = wiring.target(e);
    const bool ends_at_a = from == a || to == a;
    if (ends_at_a && (!b || from == *b || to == *b)) edges.push_back(e);
  }
  if (edges.empty() || b == a) {
    refuse(degraded, "no link joins these two",
           "\"" + wiring.name(a) + "\" is joined to " + neighbours(wiring, a));
  }
  return edges;
}

}  // namespace flotilla::topology
