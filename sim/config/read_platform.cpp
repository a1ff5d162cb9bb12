#include <cmath>

#include "sim/config/read.h"
#include "sim/config/read_library.h"

namespace flotilla::config {

namespace {

constexpr Range kNodes = {1, 100'000};
constexpr std::int64_t kMostGpus = 1'000'000;  // the fabric is built GPU by GPU
constexpr Range kGpusPerNode = {1, 1'000};

void read_link(Reader in, Link& link) {
  in.require({"kind", "bandwidth", "latency"});
  in.text("name", link.name);
  in.source(link.source);
  in.choice("kind", link.kind, link_kinds());
  in.quantity("bandwidth", link.bandwidth);
  in.share("efficiency", link.efficiency);
  in.quantity("latency", link.latency, Zero::allowed);
  if (const auto tuning = in.object("collectives")) read_link_tuning(*tuning, link.tuning);
  in.finish();
}

void read_node(Reader in, Node& node) {
  in.require({"gpus"});
  in.count("gpus", node.gpus, kGpusPerNode);
  in.choice("fabric", node.fabric,
            Choices<NodeFabric>{{"nvswitch", NodeFabric::nvswitch},
                                {"mesh", NodeFabric::mesh},
                                {"pcie", NodeFabric::pcie}});
  in.count("nics", node.nics, {0, kGpusPerNode.largest});
  if (const auto link = in.object("link")) read_link(*link, node.link);
  if (const auto nic = in.object("nic")) read_link(*nic, node.nic);
  in.finish();
  if (in.sound("gpus") && node.gpus > 1) in.require({"fabric", "link"});
  if (!in.sound("nics") || !in.sound("gpus") || node.nics == 0) return;
  in.require({"nic"});
  const bool even = node.gpus % node.nics == 0 || node.nics % node.gpus == 0;
  if (!even) {
    in.fault("nics", std::to_string(node.gpus) + " GPUs cannot share " + std::to_string(node.nics) +
                         " NICs evenly: one must be a multiple of the other");
  }
  if (in.sound("nic") && node.nic.kind != LinkKind::network) {
    in.fault("nic", "a NIC is a link of kind \"network\"");
  }
}

void read_tier(Reader in, Tier& tier) {
  in.require({"nodes"});
  in.text("name", tier.name);
  in.count("nodes", tier.nodes, kNodes);
  in.number("oversubscription", tier.oversubscription, 1, 1'000);
  in.quantity("latency", tier.latency, Zero::allowed);
  in.finish();
}

// Each tier holds whole groups of the one below it. Above the outermost one a core joins the rest.
void read_tiers(Reader& in, const std::vector<Reader>& readers, Platform& platform) {
  for (const Reader& reader : readers) {
    Tier tier;
    read_tier(reader, tier);
    platform.tiers.push_back(tier);
  }
  if (!in.sound("tiers")) return;
  for (std::size_t i = 1; i < platform.tiers.size(); ++i) {
    const std::int64_t inner = platform.tiers[i - 1].nodes;
    const std::int64_t outer = platform.tiers[i].nodes;
    if (outer > inner && outer % inner == 0) continue;
    Reader reader = readers[i];
    reader.fault("nodes",
                 "a group of this layer holds whole groups of the one below: expected a "
                 "multiple of " +
                     std::to_string(inner));
  }
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
  const std::vector<Reader> tiers = in.objects("tiers");
  if (const auto library = in.object("library")) read_library(*library, platform.library);
  in.finish();
  read_tiers(in, tiers, platform);
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
