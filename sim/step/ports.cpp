#include "sim/step/ports.h"

#include <array>
#include <cmath>
#include <utility>

#include "sim/config/collective_names.h"
#include "sim/model/slice.h"
#include "sim/step/step_graph.h"

namespace flotilla::step {

namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace

Ports::Ports(const config::Scenario& scenario, const layout::Mesh& mesh,
             const topology::Fabric& fabric, StepGraph& out)
    : s_(scenario),
      mesh_(mesh),
      fabric_(fabric),
      out_(out),
      data_groups_(data_placements(scenario, mesh, fabric)) {
  const bool network = scenario.platform.node.nics > 0;
  for (std::int64_t rank = 0; rank < scenario.layout.pp; ++rank) {
    const layout::Rank gpu = representative(mesh, rank);
    const std::string name = "stage " + std::to_string(rank);
    RankLinks links{};
    links.node_out = out.graph.add_link(
        {name + " node out", fabric.edge(fabric.node_port_out(gpu)).capacity, true});
    links.node_in = out.graph.add_link(
        {name + " node in", fabric.edge(fabric.node_port_in(gpu)).capacity, true});
    if (network) {
      // GPUs that share a NIC send at the same time, so each has its part of it.
      const auto sharers = static_cast<double>(fabric.gpus_per_nic());
      links.network_out = out.graph.add_link(
          {name + " NIC out", fabric.edge(fabric.network_port_out(gpu)).capacity / sharers, true});
      links.network_in = out.graph.add_link(
          {name + " NIC in", fabric.edge(fabric.network_port_in(gpu)).capacity / sharers, true});
    }
    links_.push_back(links);
    const collective::Placement& group = data_groups_[at(rank)];
    data_node_path_.push_back(out.graph.add_path({links.node_out, links.node_in}));
    data_network_path_.push_back(
        group.nodes > 1 ? limited_path(links.network_out, links.network_in, group.network_rate)
                        : 0);
  }
}

std::uint32_t Ports::limited_path(graph::LinkId out, graph::LinkId in, BytesPerSecond limit) {
  std::vector<graph::LinkId> links{out, in};
  if (std::isfinite(limit.value())) {
    links.push_back(out_.graph.add_link({"share of the fabric", limit, false}));
  }
  return out_.graph.add_path(std::move(links));
}

graph::OpId Ports::add_data_collective(std::int64_t rank, std::int64_t chunk,
                                       graph::Purpose purpose, collective::Op kind, Bytes bytes,
                                       std::span<const graph::OpId> after) {
  const collective::Placement& group = data_groups_[at(rank)];
  const collective::Plan plan = collective::plan(kind, bytes, group, s_.platform.library);
  std::vector<graph::Flow> flows;
  if (plan.node_bytes > Bytes(0)) flows.push_back({plan.node_bytes, data_node_path_[at(rank)]});
  if (plan.network_bytes > Bytes(0)) {
    flows.push_back({plan.network_bytes, data_network_path_[at(rank)]});
  }
  graph::Op op;
  op.purpose = purpose;
  op.stream = graph::Stream::data;
  op.rank = static_cast<std::int32_t>(rank);
  op.chunk = static_cast<std::int32_t>(chunk);
  op.duration = plan.latency;
  op.first_flow = out_.graph.add_flows(flows);
  op.flow_count = static_cast<std::uint32_t>(flows.size());
  op.collective = out_.collectives.index({.group = "dp",
                                          .op = std::string(config::name_of(kind)),
                                          .algorithm = std::string(config::name_of(plan.algorithm)),
                                          .where = where_name(group),
                                          .ranks = group.ranks,
                                          .bytes = bytes,
                                          .bus_factor = collective::bus_factor(kind, group.ranks)});
  return out_.graph.add(op, after);
}

const Ports::Route& Ports::route(std::int64_t from, std::int64_t to) {
  const auto key = std::pair(from, to);
  if (const auto found = routes_.find(key); found != routes_.end()) return found->second;
  const Handover h = handover(mesh_, fabric_, from, to);
  Route route{.path = 0, .latency = h.latency, .within_node = h.within_node};
  const RankLinks& a = links_[at(from)];
  const RankLinks& b = links_[at(to)];
  route.path = h.within_node ? limited_path(a.node_out, b.node_in, h.share)
                             : limited_path(a.network_out, b.network_in, h.share);
  return routes_.emplace(key, route).first->second;
}

const char* Ports::where(const Route& route) const {
  return link_name(route.within_node ? s_.platform.node.link.kind : config::LinkKind::network)
      .data();
}

CollectiveKind Ports::pair_kind(const char* group, const char* op, Bytes bytes,
                                const Route& route) const {
  return {.group = group,
          .op = op,
          .algorithm = "p2p",
          .where = where(route),
          .ranks = 2,
          .bytes = bytes,
          .bus_factor = 1};
}

graph::OpId Ports::add_send(schedule::Pass pass, std::int64_t from, std::int64_t to,
                            std::int64_t chunk, std::int64_t microbatch, const BlockTimer& timer,
                            graph::OpId after) {
  const model::Slice slice = model::slice_of(s_);
  const Bytes whole(static_cast<double>(slice.tokens()) * static_cast<double>(s_.model.hidden) *
                    slice.element_bytes);
  const Bytes part = whole / static_cast<double>(slice.tp);
  const Route& path = route(from, to);
  graph::Op op;
  const bool forward = pass == schedule::Pass::forward;
  op.purpose = forward ? graph::Purpose::activation_send : graph::Purpose::gradient_send;
  op.stream = graph::Stream::pipeline;
  op.rank = static_cast<std::int32_t>(from);
  op.chunk = static_cast<std::int32_t>(chunk);
  op.microbatch = static_cast<std::int32_t>(microbatch);
  op.duration = s_.platform.library.p2p + path.latency;
  if (slice.tp > 1 && !slice.sequence_parallel) {
    op.duration +=
        timer.exchange_time({"gather hand-over", model::ExchangeKind::all_gather, whole});
  }
  const std::array flows{graph::Flow{part, path.path}};
  op.first_flow = out_.graph.add_flows(flows);
  op.flow_count = 1;
  op.collective = out_.collectives.index(pair_kind("pp", "send", part, path));
  return out_.graph.add(op, std::array{after});
}

graph::OpId Ports::add_pair_all_reduce(std::int64_t a, std::int64_t b, Bytes bytes,
                                       std::span<const graph::OpId> after) {
  const Route there = route(a, b);
  const Route back = route(b, a);
  const std::array flows{graph::Flow{bytes, there.path}, graph::Flow{bytes, back.path}};
  graph::Op op;
  op.purpose = graph::Purpose::embedding_reduce;
  op.stream = graph::Stream::data;
  op.rank = static_cast<std::int32_t>(a);
  op.duration = s_.platform.library.p2p * 2 + there.latency * 2;
  op.first_flow = out_.graph.add_flows(flows);
  op.flow_count = 2;
  op.collective = out_.collectives.index(pair_kind("embedding", "all_reduce", bytes, there));
  return out_.graph.add(op, after);
}

}  // namespace flotilla::step
