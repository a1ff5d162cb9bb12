#include "sim/step/communications.h"

#include <array>
#include <string>
#include <vector>

#include "sim/config/collective_names.h"
#include "sim/model/slice.h"

namespace flotilla::step {

using graph::Flow;
using graph::Op;
using graph::OpId;
using graph::Purpose;
using graph::Stream;

OpId Communications::add(Op op, std::span<const Flow> flows, const Mark& mark,
                         std::span<const OpId> after) {
  op.rank = mark.rank;
  op.chunk = static_cast<std::int32_t>(mark.chunk);
  op.microbatch = static_cast<std::int32_t>(mark.microbatch);
  op.first_flow = graph_.add_flows(flows);
  op.flow_count = static_cast<std::uint32_t>(flows.size());
  return graph_.add(op, after);
}

OpId Communications::add_collective(const Ring& ring, const char* group, collective::Op kind,
                                    Bytes bytes, Purpose purpose, const Mark& mark,
                                    std::span<const OpId> after) {
  const collective::Plan plan =
      collective::plan(kind, bytes, ring.placement, scenario_.platform.library);
  std::vector<Flow> flows;
  if (plan.node_bytes > Bytes(0)) {
    for (const std::uint32_t path : ring.node_paths) flows.push_back({plan.node_bytes, path});
  }
  if (plan.network_bytes > Bytes(0)) {
    for (const std::uint32_t path : ring.network_paths) flows.push_back({plan.network_bytes, path});
  }
  Op op;
  op.purpose = purpose;
  op.stream = purpose == Purpose::tensor_exchange ? Stream::tensor : Stream::data;
  op.duration = plan.latency;
  op.collective = table_.index({.group = group,
                                .op = std::string(config::name_of(kind)),
                                .algorithm = std::string(config::name_of(plan.algorithm)),
                                .where = where_name(ring.placement),
                                .ranks = ring.placement.ranks,
                                .bytes = bytes,
                                .bus_factor = collective::bus_factor(kind, ring.placement.ranks)});
  return add(op, flows, mark, after);
}

CollectiveKind Communications::pair_kind(const char* group, const char* op, Bytes bytes,
                                         const Route& route) const {
  const auto kind =
      route.within_node ? scenario_.platform.node.link.kind : config::LinkKind::network;
  return {.group = group,
          .op = op,
          .algorithm = "p2p",
          .where = std::string(link_name(kind)),
          .ranks = 2,
          .bytes = bytes,
          .bus_factor = 1};
}

OpId Communications::add_send(const Route& route, schedule::Pass pass, Seconds gather,
                              const Mark& mark, std::span<const OpId> after) {
  const model::Slice slice = model::slice_of(scenario_);
  const Bytes part(static_cast<double>(slice.tokens()) *
                   static_cast<double>(scenario_.model.hidden) * slice.element_bytes /
                   static_cast<double>(slice.tp));
  Op op;
  op.purpose = pass == schedule::Pass::forward ? Purpose::activation_send : Purpose::gradient_send;
  op.stream = Stream::pipeline;
  op.duration = scenario_.platform.library.p2p + route.latency + gather;
  op.collective = table_.index(pair_kind("pp", "send", part, route));
  return add(op, std::array{Flow{part, route.path}}, mark, after);
}

OpId Communications::add_pair_all_reduce(const Route& there, const Route& back, Bytes bytes,
                                         const Mark& mark, std::span<const OpId> after) {
  Op op;
  op.purpose = Purpose::embedding_reduce;
  op.stream = Stream::data;
  op.duration = scenario_.platform.library.p2p * 2 + there.latency + back.latency;
  op.collective = table_.index(pair_kind("embedding", "all_reduce", bytes, there));
  return add(op, std::array{Flow{bytes, there.path}, Flow{bytes, back.path}}, mark, after);
}

}  // namespace flotilla::step
