#include <cmath>

#include "sim/config/read.h"

namespace flotilla::config {

namespace {

constexpr Range kNodes = {1, 100'000};
constexpr std::int64_t kMostGpus = 1'000'000;  // the fabric is built GPU by GPU

void read_protocol(Reader in, Protocol& protocol) {
  in.require({"base", "hop", "bandwidth_fraction"});
  in.text("name", protocol.name);
  in.quantity("base", protocol.base, Zero::allowed);
  if (auto hop = in.object("hop")) {
    for (const auto& [name, kind] : link_kinds()) {
      hop->quantity(name, protocol.hop[kind], Zero::allowed);
      hop->require({name});
    }
    hop->finish();
  }
  if (auto fraction = in.object("bandwidth_fraction")) {
    for (const auto& [name, kind] : link_kinds()) {
      fraction->share(name, protocol.bandwidth_fraction[kind]);
      fraction->require({name});
    }
    fraction->finish();
  }
  in.finish();
}

void read_library(Reader in, CollectiveLibrary& library) {
  in.require({"protocols", "p2p"});
  in.text("name", library.name);
  in.source(library.source);
  const std::vector<Reader> protocols = in.objects("protocols");
  for (const Reader& reader : protocols) {
    Protocol protocol;
    read_protocol(reader, protocol);
    library.protocols.push_back(std::move(protocol));
  }
  if (in.has("protocols") && protocols.empty() && in.sound("protocols")) {
    in.fault("protocols", "expected at least one protocol");
  }
  in.quantity("p2p", library.p2p, Zero::allowed);
  if (auto busy = in.object("multiprocessors")) {
    for (const auto& [name, kind] : link_kinds()) {
      busy->number(name, library.multiprocessors[kind], 0, 1'000);
    }
    busy->finish();
  }
  in.finish();
}

// A collective leaves room for the kernels beside it, on the links that this machine has.
void check_multiprocessors(Reader& in, const Platform& platform) {
  const bool within_node = platform.node.gpus > 1, between_nodes = platform.nodes > 1;
  for (const auto& [name, kind] : link_kinds()) {
    const bool there = (within_node && platform.node.link.kind == kind) ||
                       (between_nodes && platform.node.nic.kind == kind);
    const auto busy = platform.library.multiprocessors.find(kind);
    if (!there || busy == platform.library.multiprocessors.end() ||
        busy->second < static_cast<double>(platform.gpu.multiprocessors)) {
      continue;
    }
    in.object("gpu")->fault("multiprocessors",
                            "a collective over " + name + " occupies " +
                                std::to_string(std::lround(busy->second)) + " of them",
                            "the collective library's \"multiprocessors\" says so");
  }
}

}  // namespace

void read_platform(Reader in, Platform& platform) {
  in.require({"nodes", "gpu", "node", "library"});
  in.text("name", platform.name);
  in.source(platform.source);
  in.count("nodes", platform.nodes, kNodes);
  if (const auto gpu = in.object("gpu")) read_gpu(*gpu, platform.gpu);
  if (const auto node = in.object("node")) read_node(*node, platform.node);
  read_network(in, platform);
  if (const auto library = in.object("library")) read_library(*library, platform.library);
  in.finish();
  check_network(in, platform);
  const bool sound =
      in.sound("library") && in.sound("gpu") && in.sound("nodes") && in.sound("node");
  if (sound) check_multiprocessors(in, platform);
  if (in.sound("nodes") && in.sound("node") && platform.gpus() > kMostGpus) {
    in.fault("nodes", std::to_string(platform.gpus()) +
                          " GPUs are more than can be simulated: " + std::to_string(kMostGpus));
  }
  if (in.sound("nodes") && in.sound("node") && platform.nodes > 1 && platform.node.nics == 0) {
    in.fault("node",
             std::to_string(platform.nodes) + " nodes cannot talk: \"nics\" is missing or 0",
             "give \"nics\" and \"nic\"");
  }
}

}  // namespace flotilla::config
