#include "sim/graph/op_graph.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>

namespace flotilla::graph {

namespace {

std::size_t index(OpId id) { return static_cast<std::size_t>(id); }

Adjacency adjacency(const OpGraph& graph, bool forward) {
  Adjacency result;
  result.offsets.assign(graph.size() + 1, 0);
  const auto key = [forward](const OpGraph::Dependency& d) {
    return index(forward ? d.earlier : d.later);
  };
  for (const auto& d : graph.dependencies()) ++result.offsets[key(d) + 1];
  for (std::size_t i = 0; i < graph.size(); ++i) result.offsets[i + 1] += result.offsets[i];
  result.targets.resize(graph.dependencies().size());
  auto next = result.offsets;
  for (const auto& d : graph.dependencies()) {
    result.targets[next[key(d)]++] = forward ? d.later : d.earlier;
  }
  return result;
}

// Names the operations that can never start, for the message of a deadlock.
std::string describe_cycle(const OpGraph& graph, const std::vector<std::uint32_t>& waiting) {
  std::string text = "the operations of this step wait for one another:";
  int named = 0;
  for (std::size_t i = 0; i < graph.size() && named < 6; ++i) {
    if (waiting[i] == 0) continue;
    const Op& op = graph.ops()[i];
    text += " op " + std::to_string(i) + " (rank " + std::to_string(op.rank) + ", microbatch " +
            std::to_string(op.microbatch) + ", chunk " + std::to_string(op.chunk) + ")";
    ++named;
  }
  return text;
}

}  // namespace

OpId OpGraph::add(const Op& op, std::span<const OpId> after) {
  ops_.push_back(op);
  const auto id = static_cast<OpId>(ops_.size() - 1);
  for (OpId earlier : after) {
    if (earlier != no_op) add_dependency(earlier, id);
  }
  return id;
}

void OpGraph::add_dependency(OpId earlier, OpId later) {
  if (earlier < 0 || later < 0 || index(earlier) >= size() || index(later) >= size()) {
    throw std::logic_error("OpGraph::add_dependency: no such operation");
  }
  dependencies_.push_back({earlier, later});
}

LinkId OpGraph::add_link(Link link) {
  links_.push_back(std::move(link));
  return static_cast<LinkId>(links_.size() - 1);
}

std::uint32_t OpGraph::add_path(std::vector<LinkId> links) {
  paths_.push_back(std::move(links));
  return static_cast<std::uint32_t>(paths_.size() - 1);
}

std::uint32_t OpGraph::add_flows(std::span<const Flow> flows) {
  const auto first = static_cast<std::uint32_t>(flows_.size());
  flows_.insert(flows_.end(), flows.begin(), flows.end());
  return first;
}

std::int32_t OpGraph::add_profile(BlockProfile profile) {
  profiles_.push_back(std::move(profile));
  return static_cast<std::int32_t>(profiles_.size() - 1);
}

std::span<const Flow> OpGraph::flows(const Op& op) const {
  return {flows_.data() + op.first_flow, op.flow_count};
}

Adjacency successors(const OpGraph& graph) { return adjacency(graph, true); }
Adjacency predecessors(const OpGraph& graph) { return adjacency(graph, false); }

std::vector<OpId> topological_order(const OpGraph& graph) {
  const Adjacency next = successors(graph);
  std::vector<std::uint32_t> waiting(graph.size(), 0);
  for (OpId target : next.targets) ++waiting[index(target)];
  std::priority_queue<OpId, std::vector<OpId>, std::greater<>> ready;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (waiting[i] == 0) ready.push(static_cast<OpId>(i));
  }
  std::vector<OpId> order;
  order.reserve(graph.size());
  while (!ready.empty()) {
    const OpId id = ready.top();
    ready.pop();
    order.push_back(id);
    for (OpId target : next.of(id)) {
      if (--waiting[index(target)] == 0) ready.push(target);
    }
  }
  if (order.size() != graph.size()) throw std::logic_error(describe_cycle(graph, waiting));
  return order;
}

Seconds uncontended_duration(const OpGraph& graph, const Op& op) {
  Seconds slowest;
  for (const Flow& flow : graph.flows(op)) {
    BytesPerSecond capacity(std::numeric_limits<double>::infinity());
    for (LinkId link : graph.path(flow.path)) {
      capacity = std::min(capacity, graph.links()[static_cast<std::size_t>(link)].capacity);
    }
    slowest = std::max(slowest, flow.bytes / capacity);
  }
  return op.duration + slowest;
}

Seconds critical_path(const OpGraph& graph) {
  const Adjacency before = predecessors(graph);
  std::vector<Seconds> end(graph.size());
  Seconds longest;
  for (OpId id : topological_order(graph)) {
    Seconds start;
    for (OpId earlier : before.of(id)) start = std::max(start, end[index(earlier)]);
    end[index(id)] = start + uncontended_duration(graph, graph.op(id));
    longest = std::max(longest, end[index(id)]);
  }
  return longest;
}

}  // namespace flotilla::graph
