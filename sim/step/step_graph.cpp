#include "sim/step/step_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sim/cost/kernel_time.h"
#include "sim/layout/mesh.h"
#include "sim/layout/stages.h"
#include "sim/model/slice.h"
#include "sim/step/buckets.h"
#include "sim/step/groups.h"
#include "sim/step/optimizer.h"
#include "sim/step/pass_blocks.h"
#include "sim/step/ports.h"

namespace flotilla::step {

namespace {

using graph::no_op;
using graph::OpId;
using graph::Purpose;
using graph::Stream;
using schedule::Pass;

class Builder {
 public:
  Builder(const config::Scenario& scenario, const topology::Fabric& fabric, StepGraph& out)
      : s_(scenario),
        out_(out),
        mesh_(scenario.layout),
        stages_(layout::virtual_stages(scenario.layout)),
        timer_(scenario, tensor_placement(scenario, mesh_, fabric), out.collectives),
        blocks_(scenario, timer_),
        ports_(scenario, mesh_, fabric, out),
        ranks_(static_cast<std::size_t>(scenario.layout.pp)),
        forward_(stages_.size() * microbatches()),
        backward_(stages_.size() * microbatches()) {}

  void build() {
    if (moves_parameters() && s_.layout.overlap_parameters) gather_parameters();
    // Passes first, so that every hand-over finds both of its ends; then what crosses ranks.
    for (std::int64_t rank = 0; rank < s_.layout.pp; ++rank) add_passes(rank);
    hand_over();
    if (reduces_gradients() && !s_.layout.overlap_gradients) reduce_at_end();
    reduce_tied_embeddings();
    const std::vector<OpId> optimizers = step_optimizer();
    if (moves_parameters() && !s_.layout.overlap_parameters) gather_at_end(optimizers);
  }

 private:
  // The state of one pipeline rank while its operations are added.
  struct RankState {
    OpId compute = no_op;                    // last on its compute stream
    OpId data = no_op;                       // last on its data-parallel stream
    std::vector<std::vector<OpId>> gathers;  // by chunk: the buckets of its pieces, forward order
  };
  // A pass that was cut into pieces: its first and its last operation.
  struct PassOps {
    OpId first = no_op;
    OpId last = no_op;
  };

  [[nodiscard]] std::size_t microbatches() const {
    return static_cast<std::size_t>(s_.microbatches());
  }
  [[nodiscard]] bool reduces_gradients() const { return s_.layout.dp > 1; }
  // ZeRO-1: each rank updates its share of the parameters and gathers the others'.
  [[nodiscard]] bool moves_parameters() const { return s_.layout.dp > 1 && s_.layout.zero >= 1; }

  RankState& at(std::int64_t rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const layout::VirtualStage& stage(std::int64_t rank, std::int64_t chunk) const {
    return stages_[static_cast<std::size_t>(chunk * s_.layout.pp + rank)];
  }
  PassOps& pass_ops(Pass pass, const layout::VirtualStage& st, std::int64_t microbatch) {
    const auto v = static_cast<std::size_t>(st.chunk * s_.layout.pp + st.rank);
    auto& table = pass == Pass::forward ? forward_ : backward_;
    return table[v * microbatches() + static_cast<std::size_t>(microbatch)];
  }

  OpId add_data_op(std::int64_t rank, std::int64_t chunk, Purpose purpose, collective::Op op,
                   Bytes bytes, OpId after) {
    RankState& state = at(rank);
    const OpId id =
        ports_.add_data_collective(rank, chunk, purpose, op, bytes, std::array{state.data, after});
    state.data = id;
    return id;
  }
  OpId gather(std::int64_t rank, std::int64_t chunk, double parameters, OpId after) {
    return add_data_op(rank, chunk, Purpose::parameter_gather, collective::Op::all_gather,
                       Bytes(parameters * model::element_bytes(s_.training.precision)), after);
  }
  OpId reduce(std::int64_t rank, std::int64_t chunk, double parameters, OpId after) {
    const auto op =
        s_.layout.zero >= 1 ? collective::Op::reduce_scatter : collective::Op::all_reduce;
    return add_data_op(rank, chunk, Purpose::gradient_reduce, op,
                       Bytes(parameters * model::element_bytes(s_.training.gradient_precision)),
                       after);
  }

  // The parameters that the last step's optimizer left in shards, chunk by chunk as they are
  // needed.
  void gather_parameters() {
    for (std::int64_t rank = 0; rank < s_.layout.pp; ++rank) {
      for (std::int64_t chunk = 0; chunk < s_.layout.vpp; ++chunk) {
        std::vector<OpId> ops;
        for (const Piece& piece : bucket_pieces(s_, stage(rank, chunk))) {
          ops.push_back(gather(rank, chunk, piece.parameters, no_op));
        }
        at(rank).gathers.push_back(std::move(ops));
      }
    }
  }

  void add_passes(std::int64_t rank) {
    const auto& slots = out_.schedule.ranks[static_cast<std::size_t>(rank)];
    std::vector<std::int64_t> left(static_cast<std::size_t>(s_.layout.vpp), s_.microbatches());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const schedule::Slot& slot = slots[i];
      const layout::VirtualStage& st = stage(rank, slot.chunk);
      if (slot.pass == Pass::forward) {
        add_forward(st, slot.microbatch);
        continue;
      }
      // A chunk's gradients are reduced once they are complete, after its last backward pass in the
      // order of the schedule; with ZeRO-2, which does not keep them, after every run of passes.
      const bool complete = --left[static_cast<std::size_t>(slot.chunk)] == 0;
      add_backward(st, slot.microbatch,
                   complete || (s_.layout.zero >= 2 && schedule::ends_backward_run(slots, i)));
    }
  }

  OpId add_block(const layout::VirtualStage& st, Pass pass, std::int64_t microbatch,
                 const Piece& piece, OpId also_after) {
    const std::int32_t profile = blocks_.profile(out_.graph, pass, piece);
    graph::Op op;
    op.purpose = pass == Pass::forward ? Purpose::forward : Purpose::backward;
    op.rank = static_cast<std::int32_t>(st.rank);
    op.microbatch = static_cast<std::int32_t>(microbatch);
    op.chunk = static_cast<std::int32_t>(st.chunk);
    op.profile = profile;
    op.duration = out_.graph.profiles()[static_cast<std::size_t>(profile)].total();
    RankState& state = at(st.rank);
    state.compute = out_.graph.add(op, std::array{state.compute, also_after});
    PassOps& ops = pass_ops(pass, st, microbatch);
    if (ops.first == no_op) ops.first = state.compute;
    ops.last = state.compute;
    return state.compute;
  }

  void add_forward(const layout::VirtualStage& st, std::int64_t microbatch) {
    RankState& state = at(st.rank);
    if (microbatch > 0 || state.gathers.empty()) {
      add_block(st, Pass::forward, microbatch, whole_piece(s_, st), no_op);
      return;
    }
    const std::vector<Piece> pieces = bucket_pieces(s_, st);
    const std::vector<OpId>& gathers = state.gathers[static_cast<std::size_t>(st.chunk)];
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      add_block(st, Pass::forward, microbatch, pieces[i], gathers[i]);
    }
  }

  void add_backward(const layout::VirtualStage& st, std::int64_t microbatch, bool reduces) {
    if (!reduces || !reduces_gradients() || !s_.layout.overlap_gradients) {
      add_block(st, Pass::backward, microbatch, whole_piece(s_, st), no_op);
      return;
    }
    std::vector<Piece> pieces = bucket_pieces(s_, st);
    std::reverse(pieces.begin(), pieces.end());
    for (const Piece& piece : pieces) {
      const OpId block = add_block(st, Pass::backward, microbatch, piece, no_op);
      reduce(st.rank, st.chunk, piece.parameters, block);
    }
  }

  // Activations to the next virtual stage, their gradients back.
  void hand_over() {
    for (std::size_t v = 0; v + 1 < stages_.size(); ++v) {
      for (std::int64_t mb = 0; mb < s_.microbatches(); ++mb) {
        send(Pass::forward, stages_[v], stages_[v + 1], mb);
        send(Pass::backward, stages_[v + 1], stages_[v], mb);
      }
    }
  }

  void send(Pass pass, const layout::VirtualStage& from, const layout::VirtualStage& to,
            std::int64_t microbatch) {
    const OpId producer = pass_ops(pass, from, microbatch).last;
    const OpId consumer = pass_ops(pass, to, microbatch).first;
    const OpId op =
        ports_.add_send(pass, from.rank, to.rank, from.chunk, microbatch, timer_, producer);
    out_.graph.add_dependency(op, consumer);
    if (!s_.layout.overlap_p2p) {
      // A blocking send: what the sender runs next waits for the hand-over.
      if (const OpId next = next_on_stream(from.rank, producer); next != no_op) {
        out_.graph.add_dependency(op, next);
      }
    }
  }

  // The compute operations of a rank were added one after the other, so the next one on its stream
  // is the next one by id that still belongs to the rank.
  [[nodiscard]] OpId next_on_stream(std::int64_t rank, OpId id) const {
    const OpId last = ranks_[static_cast<std::size_t>(rank)].compute;
    for (OpId next = id + 1; next <= last; ++next) {
      const graph::Op& op = out_.graph.op(next);
      if (op.rank == rank && op.stream == Stream::compute) return next;
    }
    return no_op;
  }

  [[nodiscard]] double rank_parameters(std::int64_t rank) const {
    double total = 0;
    for (std::int64_t chunk = 0; chunk < s_.layout.vpp; ++chunk) {
      total += whole_piece(s_, stage(rank, chunk)).parameters;
    }
    return total;
  }

  void reduce_at_end() {
    for (std::int64_t rank = 0; rank < s_.layout.pp; ++rank) {
      reduce(rank, 0, rank_parameters(rank), at(rank).compute);
    }
  }

  // Embedding and head are one tensor on two stages: their gradients are summed over both.
  void reduce_tied_embeddings() {
    if (!layout::ties_across_stages(s_.model, s_.layout)) return;
    const std::int64_t last = s_.layout.pp - 1;
    const double shared = model::head_parameters(s_.model).per_rank(s_.layout.tp);
    const Bytes bytes(shared * model::element_bytes(s_.training.gradient_precision));
    const std::array after{at(0).compute, at(0).data, at(last).compute, at(last).data};
    const OpId id = ports_.add_pair_all_reduce(0, last, bytes, after);
    at(0).data = id;
    at(last).data = id;
  }

  // Every rank waits for the norm of the gradients of all ranks before it updates its parameters.
  std::vector<OpId> step_optimizer() {
    std::vector<OpId> gradients;
    for (const RankState& state : ranks_) {
      gradients.push_back(state.compute);
      gradients.push_back(state.data);
    }
    graph::Op norm;
    norm.purpose = Purpose::gradient_norm;
    norm.stream = Stream::data;
    norm.duration = gradient_norm_time(s_);
    const OpId all = out_.graph.add(norm, gradients);
    std::vector<OpId> optimizers;
    for (std::int64_t rank = 0; rank < s_.layout.pp; ++rank) {
      graph::Op op;
      op.purpose = Purpose::optimizer;
      op.rank = static_cast<std::int32_t>(rank);
      op.duration = optimizer_time(s_, rank_parameters(rank));
      at(rank).compute = out_.graph.add(op, std::array{at(rank).compute, all});
      optimizers.push_back(at(rank).compute);
    }
    return optimizers;
  }

  void gather_at_end(const std::vector<OpId>& optimizers) {
    for (std::int64_t rank = 0; rank < s_.layout.pp; ++rank) {
      gather(rank, 0, rank_parameters(rank), optimizers[static_cast<std::size_t>(rank)]);
    }
  }

  const config::Scenario& s_;
  StepGraph& out_;
  layout::Mesh mesh_;
  std::vector<layout::VirtualStage> stages_;
  BlockTimer timer_;
  PassBlocks blocks_;
  Ports ports_;
  std::vector<RankState> ranks_;
  std::vector<PassOps> forward_;  // by virtual stage x microbatch
  std::vector<PassOps> backward_;
};

}  // namespace

schedule::Schedule make_schedule(const config::Scenario& scenario) {
  const auto stages = static_cast<std::int32_t>(scenario.layout.pp);
  const auto microbatches = static_cast<std::int32_t>(scenario.microbatches());
  switch (scenario.layout.schedule) {
    case config::ScheduleKind::gpipe:
      return schedule::gpipe(stages, microbatches);
    case config::ScheduleKind::one_f_one_b:
      return schedule::one_f_one_b(stages, microbatches);
    case config::ScheduleKind::interleaved:
      return schedule::interleaved(stages, static_cast<std::int32_t>(scenario.layout.vpp),
                                   microbatches);
  }
  return {};
}

StepGraph build_folded(const config::Scenario& scenario, const topology::Fabric& fabric) {
  StepGraph step;
  step.schedule = make_schedule(scenario);
  Builder(scenario, fabric, step).build();
  return step;
}

}  // namespace flotilla::step
