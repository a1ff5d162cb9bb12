// The passes of a step on the compute and tensor streams of every simulated GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/config/scenario.h"
#include "sim/graph/op_graph.h"
#include "sim/layout/stages.h"
#include "sim/schedule/schedule.h"
#include "sim/step/block.h"
#include "sim/step/communications.h"
#include "sim/step/pass_blocks.h"
#include "sim/step/wiring.h"

namespace flotilla::step {

// Where one pass of one microbatch on one GPU begins and ends.
struct PassEnds {
  graph::OpId first = graph::no_op;
  graph::OpId last = graph::no_op;           // on the compute stream
  graph::OpId last_exchange = graph::no_op;  // of its tensor group
  graph::OpId next = graph::no_op;           // the first of the pass that this GPU runs after it
};

class Passes {
 public:
  Passes(const config::Scenario& scenario, Wiring& wiring, const BlockTimer& timer,
         graph::OpGraph& graph, Communications& communications, bool every_exchange_meets_others);

  // Adds a piece of a pass to all tensor lanes of a replica, after what they ran last. Its first
  // operation on lane t also waits for also_after[t]. `bucket` says that data-parallel traffic runs
  // beside it.
  void add(schedule::Pass pass, const layout::VirtualStage& stage, std::int64_t replica,
           std::int64_t microbatch, const Piece& piece, bool bucket,
           std::span<const graph::OpId> also_after);

  [[nodiscard]] const PassEnds& ends(schedule::Pass pass, const layout::VirtualStage& stage,
                                     std::int64_t replica, std::int64_t lane,
                                     std::int64_t microbatch) const;

  // The last operation on a GPU's compute stream so far; `set` when something else was added to it.
  [[nodiscard]] graph::OpId last(const layout::Coordinates& at) const;
  void set_last(const layout::Coordinates& at, graph::OpId op);

 private:
  struct Lane {
    graph::OpId compute = graph::no_op;
    graph::OpId barrier = graph::no_op;  // an exchange that the next kernel waits for
    PassEnds* pass = nullptr;            // the one that it is in
  };
  // What one call of add() works on.
  struct Work {
    schedule::Pass pass;
    const layout::VirtualStage& stage;
    std::int64_t replica;
    std::int64_t microbatch;
    std::vector<graph::OpId> also_after;  // by lane; consumed by the first operation
  };

  [[nodiscard]] bool expands(const Work& work, bool bucket) const;
  void add_block(Work& work, const Piece& piece);
  void add_script(Work& work, const Script& script);
  void add_kernels(Work& work, std::int64_t lane, std::int32_t profile, graph::OpId waits_for);
  graph::OpId add_exchange(Work& work, const model::Exchange& exchange, graph::OpId waits_for);
  // The ends of the pass that `op` belongs to, which it begins if nothing has.
  PassEnds& enter_pass(const Work& work, std::int64_t lane, graph::OpId op);
  [[nodiscard]] std::size_t pass_index(const layout::VirtualStage& stage, std::int64_t replica,
                                       std::int64_t lane, std::int64_t microbatch) const;
  [[nodiscard]] std::size_t lane_index(const layout::Coordinates& at) const;
  Lane& lane_of(const Work& work, std::int64_t lane);
  [[nodiscard]] layout::Coordinates at(const Work& work, std::int64_t lane) const;

  const config::Scenario& scenario_;
  Wiring& wiring_;
  graph::OpGraph& graph_;
  Communications& communications_;
  PassBlocks blocks_;
  bool expand_all_;
  bool expand_buckets_;
  std::vector<Lane> lanes_;             // by stage, replica, lane
  std::vector<graph::OpId> exchanges_;  // by stage, replica: the tensor group's last exchange
  std::vector<PassEnds> forward_;       // by virtual stage, microbatch, replica, lane
  std::vector<PassEnds> backward_;
};

}  // namespace flotilla::step
