#include "sim/config/read_cable_list.h"

#include <algorithm>
#include <numeric>
#include <regex>
#include <set>

namespace flotilla::config {

namespace {

constexpr Range kCables = {1, 100'000};

bool names_nodes(const std::string& word) { return word.starts_with("node"); }

// "node 3", "node 3 nic 1" or "nodes 0-31".
std::optional<CableEnd> parse_nodes(const std::string& word) {
  static const std::regex one(R"(node (\d{1,6})(?: nic (\d{1,6}))?)");
  static const std::regex several(R"(nodes (\d{1,6})-(\d{1,6})(?: nic (\d{1,6}))?)");
  std::smatch found;
  CableEnd end;
  if (std::regex_match(word, found, one)) {
    end.first_node = end.last_node = std::stoll(found[1]);
    if (found[2].matched) end.nic = std::stoll(found[2]);
    return end;
  }
  if (std::regex_match(word, found, several)) {
    end.first_node = std::stoll(found[1]);
    end.last_node = std::stoll(found[2]);
    if (found[3].matched) end.nic = std::stoll(found[3]);
    return end;
  }
  return std::nullopt;
}

CableEnd read_end(Reader& in, const std::string& word, const ListedNetwork& network) {
  CableEnd end;
  if (names_nodes(word)) {
    if (const auto nodes = parse_nodes(word)) return *nodes;
    in.fault("between",
             "\"" + word + "\": expected \"node 3\", \"node 3 nic 1\" or \"nodes 0-31\"");
    return end;
  }
  const auto& names = network.switches;
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) {
    end.a_switch = found - names.begin();
    return end;
  }
  const std::string near = nearest(word, names);
  in.fault("between", "there is no switch \"" + word + "\" in \"switches\"",
           near.empty() ? "" : "did you mean \"" + near + "\"?");
  return end;
}

void read_listed_cable(Reader in, const ListedNetwork& network, ListedCable& cable) {
  in.require({"between", "bandwidth", "latency"});
  std::vector<std::string> ends;
  in.texts("between", ends);
  in.count("count", cable.count, kCables);
  in.quantity("bandwidth", cable.cable.bandwidth);
  in.quantity("latency", cable.cable.latency, Zero::allowed);
  in.finish();
  if (!in.has("between") || !in.sound("between")) return;
  if (ends.size() != 2 || ends[0] == ends[1]) {
    in.fault("between", "expected two different ends, like [\"nodes 0-3\", \"leaf 0\"]");
    return;
  }
  if (names_nodes(ends[0])) std::swap(ends[0], ends[1]);  // nodes, if any, are the second end
  cable.from = read_end(in, ends[0], network);
  cable.to = read_end(in, ends[1], network);
  if (cable.from.first_node >= 0) {
    in.fault("between", "a cable between nodes needs a switch at one end");
  }
}

// Which NICs and switches hang together: a union-find over switches and, behind them, NICs.
class Pieces {
 public:
  explicit Pieces(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parent_;
};

std::string nic_name(std::size_t nic, std::int64_t per_node) {
  const auto n = static_cast<std::int64_t>(nic);
  return "node " + std::to_string(n / per_node) + " nic " + std::to_string(n % per_node);
}

}  // namespace

void read_cable_list(Reader& in, const Platform&, ListedNetwork& network) {
  in.require({"switches", "links"});
  in.texts("switches", network.switches);
  std::set<std::string> seen;
  for (const std::string& name : network.switches) {
    if (names_nodes(name)) in.fault("switches", "\"" + name + "\": \"node...\" is for nodes");
    if (!seen.insert(name).second) in.fault("switches", "\"" + name + "\" is there twice");
  }
  for (const Reader& reader : in.objects("links")) {
    ListedCable cable;
    read_listed_cable(reader, network, cable);
    network.cables.push_back(cable);
  }
}

void check_cable_list(Reader in, const Platform& platform) {
  const ListedNetwork& network = platform.network.list;
  const Node& node = platform.node;
  const std::int64_t per_node =
      node.nic_of_gpu.empty() ? std::min(node.nics, node.gpus) : node.nics;
  const auto nics = static_cast<std::size_t>(platform.nodes * per_node);
  Pieces pieces(nics + network.switches.size());
  std::vector<int> cables_of(nics, 0);
  std::vector<Reader> readers = in.objects("links");
  for (std::size_t i = 0; i < network.cables.size(); ++i) {
    const ListedCable& cable = network.cables[i];
    const std::size_t above = nics + static_cast<std::size_t>(cable.from.a_switch);
    if (cable.to.a_switch >= 0) {
      pieces.join(above, nics + static_cast<std::size_t>(cable.to.a_switch));
      continue;
    }
    if (cable.to.last_node >= platform.nodes || cable.to.first_node > cable.to.last_node ||
        cable.to.nic >= per_node) {
      readers[i].fault("between", "there are nodes 0 to " + std::to_string(platform.nodes - 1) +
                                      " with NICs 0 to " + std::to_string(per_node - 1));
      return;
    }
    for (std::int64_t n = cable.to.first_node; n <= cable.to.last_node; ++n) {
      for (std::int64_t k = 0; k < per_node; ++k) {
        if (cable.to.nic >= 0 && cable.to.nic != k) continue;
        const auto nic = static_cast<std::size_t>(n * per_node + k);
        if (++cables_of[nic] > 1) {
          readers[i].fault("between", nic_name(nic, per_node) + " has a cable already",
                           "a NIC has one port; \"count\" makes it wider");
          return;
        }
        pieces.join(nic, above);
      }
    }
  }
  for (std::size_t nic = 0; nic < nics; ++nic) {
    if (cables_of[nic] == 0) {
      in.fault("links", nic_name(nic, per_node) + " is joined to no switch: its GPUs are cut off");
      return;
    }
    if (pieces.find(nic) == pieces.find(0)) continue;
    in.fault("links", nic_name(nic, per_node) + " has no way to " + nic_name(0, per_node));
    return;
  }
}

}  // namespace flotilla::config
