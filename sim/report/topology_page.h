// What was understood of a platform: its links, the way between two GPUs, what its halves can say
// to each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/config/platform.h"
#include "sim/report/style.h"
#include "sim/topology/cut.h"
#include "sim/topology/fabric.h"

namespace flotilla::report {

using GpuPair = std::pair<topology::Gpu, topology::Gpu>;

struct TopologyView {
  const config::Platform& platform;
  const topology::Fabric& fabric;
  topology::Bisection bisection;
  std::vector<GpuPair> routes;  // those that were asked for
};

std::string topology_page(const TopologyView& view, const Style& style);
std::string topology_json(const TopologyView& view);
// Graphviz. Of a large machine only NICs and the network are drawn.
std::string topology_dot(const TopologyView& view);

// Links that are alike: between the same kinds of elements, equally wide and long.
struct LinkClass {
  std::string lower;  // "gpu", "nic", the name of a layer, ...
  std::string upper;
  BytesPerSecond bandwidth;  // of one, one direction
  Seconds latency;
  std::int64_t count = 0;
};
std::vector<LinkClass> link_classes(const topology::Fabric& fabric);

}  // namespace flotilla::report
