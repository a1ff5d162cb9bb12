#include "sim/step/block.h"

#include <algorithm>
#include <utility>

#include "sim/config/collective_names.h"
#include "sim/cost/kernel_time.h"
#include "sim/cost/slowest_gpu.h"

namespace flotilla::step {

namespace {

// What is left of the multiprocessors while the library runs a collective over the group's links.
double speed_beside_exchange(const config::Platform& platform, const collective::Placement& group) {
  const auto kind = group.ranks_per_node > 1 ? group.node_kind : config::LinkKind::network;
  const auto busy = platform.library.multiprocessors.find(kind);
  if (busy == platform.library.multiprocessors.end()) return 1;
  const auto all = static_cast<double>(platform.gpu.multiprocessors);
  return std::max(0.1, 1 - busy->second / all);
}

// How long `work` takes from `start` on, at `speed` until `until` and at full speed after that.
Seconds stretched(Seconds work, Seconds start, Seconds until, double speed) {
  if (until <= start) return work;
  const Seconds beside = until - start;
  if (work <= beside * speed) return work / speed;
  return beside + (work - beside * speed);
}

}  // namespace

collective::Op op_of(model::ExchangeKind kind) {
  switch (kind) {
    case model::ExchangeKind::all_reduce:
      return collective::Op::all_reduce;
    case model::ExchangeKind::all_gather:
      return collective::Op::all_gather;
    case model::ExchangeKind::reduce_scatter:
      return collective::Op::reduce_scatter;
  }
  return collective::Op::all_reduce;
}

std::string_view link_name(config::LinkKind kind) {
  switch (kind) {
    case config::LinkKind::nvlink:
      return "NVLink";
    case config::LinkKind::pcie:
      return "PCIe";
    case config::LinkKind::network:
      return "network";
  }
  return "";
}

std::string where_name(const collective::Placement& placement) {
  std::string text;
  if (placement.ranks_per_node > 1) text = link_name(placement.node_kind);
  if (placement.nodes > 1) text += text.empty() ? "network" : " + network";
  return text;
}

std::int32_t CollectiveTable::index(const CollectiveKind& kind) {
  const auto found = std::find(kinds_.begin(), kinds_.end(), kind);
  if (found != kinds_.end()) return static_cast<std::int32_t>(found - kinds_.begin());
  kinds_.push_back(kind);
  return static_cast<std::int32_t>(kinds_.size() - 1);
}

BlockTimer::BlockTimer(const config::Scenario& scenario, collective::Placement tensor_group,
                       CollectiveTable& table)
    : scenario_(scenario),
      tensor_group_(std::move(tensor_group)),
      table_(table),
      slowdown_(cost::slowest_gpu_factor(scenario.platform.gpu, scenario.layout.gpus)),
      beside_speed_(speed_beside_exchange(scenario.platform, tensor_group_)) {}

Seconds BlockTimer::kernel_time(const model::Kernel& kernel) const {
  const Seconds time =
      cost::kernel_time(kernel, scenario_.platform.gpu, scenario_.training.precision);
  return kernel.kind == model::KernelKind::memory ? time : time * slowdown_;
}

collective::Plan BlockTimer::exchange_plan(const model::Exchange& exchange) const {
  return collective::plan(op_of(exchange.kind), exchange.bytes, tensor_group_,
                          scenario_.platform.library);
}

Seconds BlockTimer::exchange_time(const model::Exchange& exchange) const {
  return exchange_plan(exchange).time;
}

std::int32_t BlockTimer::table_index(const model::Exchange& exchange) const {
  const collective::Op op = op_of(exchange.kind);
  return table_.index({.group = "tp",
                       .op = std::string(config::name_of(op)),
                       .algorithm = std::string(config::name_of(exchange_plan(exchange).algorithm)),
                       .where = where_name(tensor_group_),
                       .ranks = tensor_group_.ranks,
                       .bytes = exchange.bytes,
                       .bus_factor = collective::bus_factor(op, tensor_group_.ranks)});
}

graph::BlockProfile BlockTimer::time(const model::Program& program) const {
  using Segment = graph::BlockProfile::Segment;
  graph::BlockProfile profile;
  std::vector<Seconds> end(program.steps().size());
  Seconds kernels_end;
  Seconds exchanges_end;
  for (std::size_t i = 0; i < program.steps().size(); ++i) {
    const model::Step& step = program.steps()[i];
    Seconds start = kernels_end;
    if (step.waits_for >= 0) start = std::max(start, end[static_cast<std::size_t>(step.waits_for)]);
    Segment segment;
    if (step.is_exchange) {
      segment.start = std::max(start, exchanges_end);
      segment.name = step.exchange.name;
      segment.stream = graph::Stream::tensor;
      segment.duration = exchange_time(step.exchange);
      segment.collective = table_index(step.exchange);
      exchanges_end = segment.start + segment.duration;
      end[i] = exchanges_end;
    } else {
      profile.tensor_exposed += start - kernels_end;
      segment.start = start;
      segment.name = step.kernel.name;
      // Exchanges run back to back from before this kernel, so they are over once and for all.
      segment.duration = stretched(kernel_time(step.kernel), start, exchanges_end, beside_speed_);
      kernels_end = start + segment.duration;
      end[i] = kernels_end;
      (step.is_recompute ? profile.recompute : profile.compute) += segment.duration;
    }
    profile.segments.push_back(std::move(segment));
  }
  // What comes next waits for the last exchange too.
  profile.tensor_exposed += std::max(Seconds(), exchanges_end - kernels_end);
  return profile;
}

graph::BlockProfile concatenate(std::string name,
                                const std::vector<const graph::BlockProfile*>& parts) {
  graph::BlockProfile block;
  block.name = std::move(name);
  int layer = 0;
  for (const graph::BlockProfile* part : parts) {
    const Seconds offset = block.total();
    for (graph::BlockProfile::Segment segment : part->segments) {
      segment.start += offset;
      segment.layer = layer;
      block.segments.push_back(std::move(segment));
    }
    block.compute += part->compute;
    block.recompute += part->recompute;
    block.tensor_exposed += part->tensor_exposed;
    ++layer;
  }
  return block;
}

}  // namespace flotilla::step
