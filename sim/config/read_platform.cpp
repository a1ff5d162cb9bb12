#include <cmath>

#include "sim/config/read.h"
#include "sim/config/read_library.h"

namespace flotilla::config {

namespace {

constexpr Range kNodes = {1, 100'000};
constexpr std::int64_t kMostGpus = 1'000'000;  // the fabric is built GPU by GPU

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
