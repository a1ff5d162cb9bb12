// One training step as operations with dependencies.
//
// An operation is a span on one stream of one rank: a compute block of known duration, or a
// communication that is a set of concurrent flows. Operations are numbered in the order in which
// they were added; every tie in time is broken by that number.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/units/quantity.h"

namespace flotilla::graph {

using OpId = std::int32_t;
using LinkId = std::int32_t;
inline constexpr OpId no_op = -1;

enum class Stream : std::uint8_t { compute, tensor, pipeline, data };

// What an operation is for; reports group by it.
enum class Purpose : std::uint8_t {
  forward,           // compute block
  backward,          // compute block (input and weight gradients, recomputation included)
  optimizer,         // compute block
  tensor_exchange,   // tp collective, when it is an operation of its own
  activation_send,   // pp: activations to the next virtual stage
  gradient_send,     // pp: activation gradients to the previous virtual stage
  gradient_reduce,   // dp: all-reduce or reduce-scatter of a gradient bucket
  parameter_gather,  // dp: ZeRO-1 all-gather of a parameter bucket
  embedding_reduce,  // tied embeddings: all-reduce between first and last stage
  gradient_norm,     // one number over all ranks, before the optimizer
  other
};

// A link of the machine that an engine shares among the flows that cross it.
struct Link {
  std::string name;
  BytesPerSecond capacity;
  // true: a shared resource (max-min). false: a limit that each flow gets by itself.
  bool shared = true;
};

struct Flow {
  Bytes bytes;
  std::uint32_t path = 0;  // index of OpGraph::path()
};

// Where the time of a compute block goes; shared by all blocks of one kind.
// total = compute + recompute + tensor_exposed.
struct BlockProfile {
  struct Segment {
    std::string name;  // kernel or collective
    Stream stream = Stream::compute;
    Seconds start;  // from the start of the block
    Seconds duration;
    int layer = 0;                 // counted from the first layer of the block
    std::int32_t collective = -1;  // exchanges: index of the caller's collective table
  };
  std::string name;        // "forward, 2 layers"
  Seconds compute;         // kernels that belong to forward or backward
  Seconds recompute;       // kernels run again for the backward pass
  Seconds tensor_exposed;  // tp communication that no kernel hides
  std::vector<Segment> segments;

  [[nodiscard]] Seconds total() const { return compute + recompute + tensor_exposed; }
};

struct Op {
  Purpose purpose = Purpose::other;
  Stream stream = Stream::compute;
  std::int32_t rank = 0;         // representative (folded: the pipeline stage)
  std::int32_t microbatch = -1;  // -1: belongs to none
  std::int32_t chunk = 0;        // model chunk (virtual stage of this rank)
  std::int32_t profile = -1;     // compute blocks: index of OpGraph::profiles
  std::int32_t collective = -1;  // communication: index of the caller's collective table
  Seconds duration;              // compute: its length; communication: the latency before the flows
  std::uint32_t first_flow = 0;
  std::uint32_t flow_count = 0;  // 0: a pure span
};

class OpGraph {
 public:
  OpId add(const Op& op, std::span<const OpId> after);
  // A dependency that was not known when `later` was added. Both must exist.
  void add_dependency(OpId earlier, OpId later);
  LinkId add_link(Link link);
  std::uint32_t add_path(std::vector<LinkId> links);
  std::uint32_t add_flows(std::span<const Flow> flows);  // index of the first
  std::int32_t add_profile(BlockProfile profile);

  [[nodiscard]] std::size_t size() const { return ops_.size(); }
  [[nodiscard]] const Op& op(OpId id) const { return ops_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const std::vector<Op>& ops() const { return ops_; }
  [[nodiscard]] std::span<const Flow> flows(const Op& op) const;
  [[nodiscard]] const std::vector<LinkId>& path(std::uint32_t index) const { return paths_[index]; }
  [[nodiscard]] std::size_t path_count() const { return paths_.size(); }
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] const std::vector<BlockProfile>& profiles() const { return profiles_; }
  struct Dependency {
    OpId earlier;
    OpId later;
  };
  [[nodiscard]] const std::vector<Dependency>& dependencies() const { return dependencies_; }

 private:
  std::vector<Op> ops_;
  std::vector<Dependency> dependencies_;
  std::vector<Link> links_;
  std::vector<std::vector<LinkId>> paths_;
  std::vector<Flow> flows_;
  std::vector<BlockProfile> profiles_;
};

// Successor lists in one array: successors of id are targets[offsets[id] .. offsets[id + 1]).
struct Adjacency {
  std::vector<std::uint32_t> offsets;
  std::vector<OpId> targets;
  [[nodiscard]] std::span<const OpId> of(OpId id) const {
    const auto i = static_cast<std::size_t>(id);
    return {targets.data() + offsets[i], targets.data() + offsets[i + 1]};
  }
};
Adjacency successors(const OpGraph& graph);
Adjacency predecessors(const OpGraph& graph);

// An order in which every operation comes after what it depends on. Throws std::logic_error that
// names the operations of a cycle (a schedule that deadlocks).
std::vector<OpId> topological_order(const OpGraph& graph);

// Duration that an operation has with no other traffic: latency + the slowest flow on its own.
Seconds uncontended_duration(const OpGraph& graph, const Op& op);

// Longest path with uncontended durations: a lower bound of the step time.
Seconds critical_path(const OpGraph& graph);

}  // namespace flotilla::graph
