#include "sim/config/read_library.h"

#include <utility>

#include "sim/config/collective_names.h"
#include "sim/config/read.h"

namespace flotilla::config {

namespace {

constexpr std::int64_t kMostChannels = 1'000;

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

void read_time(Reader& in, const char* key, std::optional<Seconds>& value) {
  if (!in.has(key)) return;
  value.emplace();
  in.quantity(key, *value, Zero::allowed);
}

// { "all_reduce": "ring" }
void read_algorithms(Reader in, std::map<CollectiveOp, CollectiveAlgorithm>& algorithms) {
  Choices<CollectiveAlgorithm> known;
  for (const auto& [name, algorithm] : algorithm_names()) known.emplace_back(name, algorithm);
  for (const auto& [name, op] : op_names()) {
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
    in.choice(name, algorithm, known);
    if (in.has(name)) algorithms[op] = algorithm;
  }
  in.finish();
}

// Leaves finish() to the caller.
void read_wire(Reader& in, WireTiming& wire) {
  read_time(in, "base", wire.base);
  read_time(in, "hop", wire.hop);
  read_time(in, "tree_hop", wire.tree_hop);
  if (in.has("bandwidth_fraction")) {
    wire.bandwidth_fraction = 1;
    in.share("bandwidth_fraction", *wire.bandwidth_fraction);
  }
  in.number("local_copy", wire.local_copy, 0, 10);
  in.number("fill_share", wire.fill_share, 0, 10);
  in.quantity("fill", wire.fill, Zero::allowed);
}

void read_wire(Reader& in, const char* key, std::optional<WireTiming>& wire) {
  if (auto object = in.object(key)) {
    read_wire(*object, wire.emplace());
    object->finish();
  }
}

}  // namespace

void read_library(Reader in, CollectiveLibrary& library) {
  in.require({"protocols", "p2p"});
  in.text("name", library.name);
  in.source(library.source);
  in.choice("choice", library.choice,
            Choices<Choice>{{"fastest", Choice::fastest}, {"nccl", Choice::nccl}});
  if (const auto named = in.object("algorithms")) read_algorithms(*named, library.algorithms);
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
  in.count("network_channels", library.network_channels, {1, kMostChannels});
  if (auto busy = in.object("multiprocessors")) {
    for (const auto& [name, kind] : link_kinds()) {
      busy->number(name, library.multiprocessors[kind], 0, 1'000);
    }
    busy->finish();
  }
  in.finish();
}

void read_link_tuning(Reader in, LinkTuning& tuning) {
  in.source(tuning.source);
  if (auto protocols = in.object("protocols")) {
    for (const char* name : {"ll", "ll128", "simple", "nvls_tree"}) {
      std::optional<WireTiming> wire;
      read_wire(*protocols, name, wire);
      if (wire) tuning.protocols[name] = *wire;
    }
    protocols->finish();
  }
  if (auto in_switch = in.object("in_switch_reduction")) {
    read_wire(*in_switch, tuning.in_switch.emplace().wire);
    in_switch->count("smallest_group", tuning.in_switch->smallest_group, {2, 1'000'000});
    in_switch->finish();
  }
  read_wire(in, "pairwise", tuning.pairwise);
  read_wire(in, "pairwise_small", tuning.pairwise_small);
  if (in.has("ll_limit")) in.quantity("ll_limit", tuning.ll_limit.emplace());
  in.finish();
}

}  // namespace flotilla::config
