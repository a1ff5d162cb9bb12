#include <algorithm>

#include "sim/config/read.h"

namespace flotilla::config {

namespace {

constexpr Range kGpusPerNode = {1, 1'000};
constexpr Range kMeshLinks = {1, 1'000};

void read_mesh_pair(Reader in, const Node& node, MeshPair& pair) {
  in.require({"gpus"});
  std::vector<std::int64_t> gpus;
  in.counts("gpus", gpus, {0, std::max<std::int64_t>(node.gpus - 1, 0)});
  in.count("links", pair.links, kMeshLinks);
  in.finish();
  if (!in.has("gpus") || !in.sound("gpus")) return;
  if (gpus.size() != 2 || gpus[0] == gpus[1]) {
    in.fault("gpus", "expected two different GPUs of the node, like [0, 1]");
    return;
  }
  pair.a = gpus[0];
  pair.b = gpus[1];
}

// GPUs that a mesh leaves apart need the host to meet; each of them has its port into it.
void read_mesh(Reader& in, Node& node) {
  const std::vector<Reader> readers = in.objects("mesh");
  for (const Reader& reader : readers) {
    MeshPair pair;
    read_mesh_pair(reader, node, pair);
    const auto same = [&](const MeshPair& other) {
      return std::minmax(other.a, other.b) == std::minmax(pair.a, pair.b);
    };
    if (in.sound("mesh") && std::any_of(node.mesh.begin(), node.mesh.end(), same)) {
      Reader twice = reader;
      twice.fault("gpus", "this pair is there already", "\"links\" says how many join it");
    }
    node.mesh.push_back(pair);
  }
}

std::size_t pairs_of(std::int64_t gpus) { return static_cast<std::size_t>(gpus * (gpus - 1) / 2); }

void check_mesh(Reader& in, const Node& node) {
  if (node.mesh.empty() || !in.sound("mesh")) return;
  if (node.fabric != NodeFabric::mesh) {
    in.fault("mesh", "only a node whose \"fabric\" is \"mesh\" has pairs");
    return;
  }
  if (node.mesh.size() == pairs_of(node.gpus) || node.pcie) return;
  for (std::int64_t b = 1; b < node.gpus; ++b) {
    for (std::int64_t a = 0; a < b; ++a) {
      const bool joined = std::any_of(node.mesh.begin(), node.mesh.end(), [&](const MeshPair& p) {
        return std::minmax(p.a, p.b) == std::minmax(a, b);
      });
      if (joined) continue;
      in.fault("mesh",
               "GPU " + std::to_string(a) + " and GPU " + std::to_string(b) +
                   " have no link and no other way to meet",
               "give \"pcie\": { \"link\": ... }, or join every pair");
      return;
    }
  }
}

void read_pcie(Reader in, const Node& node, PcieTree& tree) {
  in.count("sockets", tree.sockets, {1, 8});
  in.count("switches", tree.switches, {0, 1'000});
  if (node.fabric == NodeFabric::pcie) {
    tree.link = node.link;
    in.refuse("link", "the port of a GPU is \"node.link\" already", "leave \"link\" away");
  } else {
    in.require({"link"});
    if (const auto link = in.object("link")) read_link(*link, tree.link);
  }
  tree.uplink = tree.link;
  if (const auto link = in.object("uplink")) read_link(*link, tree.uplink);
  if (const auto link = in.object("interconnect")) read_link(*link, tree.interconnect);
  in.finish();
  if (in.sound("sockets") && tree.sockets > 1) in.require({"interconnect"});
  if (!in.sound("sockets") || !in.sound("switches")) return;
  if (tree.switches % tree.sockets != 0) {
    in.fault("switches", std::to_string(tree.switches) + " switches do not divide evenly over " +
                             std::to_string(tree.sockets) + " sockets");
  }
  const std::int64_t places = tree.switches > 0 ? tree.switches : tree.sockets;
  if (node.gpus % places != 0) {
    in.fault(tree.switches > 0 ? "switches" : "sockets",
             std::to_string(node.gpus) + " GPUs do not divide evenly over " +
                 std::to_string(places) + (tree.switches > 0 ? " switches" : " sockets"));
  }
}

void check_nics(Reader& in, const Node& node) {
  if (!in.sound("nics") || !in.sound("gpus")) return;
  if (node.nics == 0) {
    if (!node.nic_of_gpu.empty()) in.fault("nic_of_gpu", "this node has no NICs");
    return;
  }
  in.require({"nic"});
  const bool even = node.gpus % node.nics == 0 || node.nics % node.gpus == 0;
  if (!in.has("nic_of_gpu") && !even) {
    in.fault("nics",
             std::to_string(node.gpus) + " GPUs cannot share " + std::to_string(node.nics) +
                 " NICs evenly: one must be a multiple of the other",
             "or \"nic_of_gpu\" says which NIC each GPU uses");
  }
  if (in.has("nic_of_gpu") && in.sound("nic_of_gpu") && std::ssize(node.nic_of_gpu) != node.gpus) {
    in.fault("nic_of_gpu", "expected one NIC for each of the " + std::to_string(node.gpus) +
                               " GPUs, found " + std::to_string(node.nic_of_gpu.size()));
  }
  if (in.sound("nic") && node.nic.kind != LinkKind::network) {
    in.fault("nic", "a NIC is a link of kind \"network\"");
  }
}

}  // namespace

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
  in.counts("nic_of_gpu", node.nic_of_gpu, {0, std::max<std::int64_t>(node.nics - 1, 0)});
  read_mesh(in, node);
  if (const auto pcie = in.object("pcie")) read_pcie(*pcie, node, node.pcie.emplace());
  in.finish();
  if (in.sound("gpus") && node.gpus > 1) in.require({"fabric", "link"});
  check_nics(in, node);
  if (!in.sound("gpus") || !in.sound("fabric")) return;
  check_mesh(in, node);
  if (node.pcie && node.mesh.empty() && node.fabric != NodeFabric::pcie && in.sound("mesh")) {
    in.fault("pcie", "has no effect: every GPU reaches every other through its port",
             "it belongs to a node of fabric \"pcie\", or of fabric \"mesh\" with its pairs");
  }
}

}  // namespace flotilla::config
