#include "sim/step/step_graph.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "sim/layout/mesh.h"
#include "sim/layout/stages.h"
#include "sim/model/slice.h"
#include "sim/step/buckets.h"
#include "sim/step/communications.h"
#include "sim/step/groups.h"
#include "sim/step/optimizer.h"
#include "sim/step/passes.h"
#include "sim/step/wiring.h"

namespace flotilla::step {

namespace {

using graph::no_op;
using graph::OpId;
using graph::Purpose;
using graph::Stream;
using layout::Coordinates;
using layout::VirtualStage;
using schedule::Pass;

std::unique_ptr<Wiring> make_wiring(const config::Scenario& scenario, const layout::Mesh& mesh,
                                    const topology::Fabric& fabric, StepGraph& out) {
  return out.fidelity == Fidelity::full ? make_full_wiring(scenario, mesh, fabric, out.graph)
                                        : make_folded_wiring(scenario, mesh, fabric, out.graph);
}

class Builder {
 public:
  Builder(const config::Scenario& scenario, const topology::Fabric& fabric, StepGraph& out)
      : s_(scenario),
        out_(out),
        mesh_(scenario.layout),
        stages_(layout::virtual_stages(scenario.layout)),
        wiring_(make_wiring(scenario, mesh_, fabric, out)),
        timer_(scenario, wiring_->tensor_ring({}).placement, out.collectives),
        communications_(scenario, out.graph, out.collectives),
        passes_(scenario, *wiring_, timer_, out.graph, communications_, exchanges_meet_others()),
        data_(static_cast<std::size_t>(scenario.layout.pp * wiring_->lanes()), no_op),
        gathers_(static_cast<std::size_t>(scenario.layout.pp)),
        reductions_(static_cast<std::size_t>(scenario.layout.pp)) {}

  void build() {
    if (moves_parameters() && s_.layout.overlap_parameters) gather_parameters();
    for (std::int64_t pp = 0; pp < s_.layout.pp; ++pp) {
      for (std::int64_t d = 0; d < wiring_->replicas(); ++d) add_passes(pp, d);
    }
    // Passes first, so that whatever joins them finds both of its ends.
    hand_over();
    reduce_gradients();
    reduce_tied_embeddings();
    step_optimizer();
    if (moves_parameters() && !s_.layout.overlap_parameters) gather_at_end();
  }

 private:
  // A bucket of gradients and the last operation of its backward pass, by replica and lane.
  struct Reduction {
    std::int64_t chunk = 0;
    double parameters = 0;
    std::vector<OpId> producers;
  };

  [[nodiscard]] bool reduces_gradients() const { return s_.layout.dp > 1; }
  // ZeRO: each rank updates its share of the parameters and gathers the others'.
  [[nodiscard]] bool moves_parameters() const { return s_.layout.dp > 1 && s_.layout.zero >= 1; }

  // Whether a tensor group's exchanges share ports with hand-overs, or NICs with anything.
  [[nodiscard]] bool exchanges_meet_others() const {
    if (out_.fidelity == Fidelity::full) return true;
    if (wiring_->tensor_ring({}).placement.nodes > 1) return true;
    for (std::int64_t pp = 0; pp + 1 < s_.layout.pp; ++pp) {
      if (wiring_->route({.pp = pp}, {.pp = pp + 1}).within_node) return true;
    }
    return false;
  }

  [[nodiscard]] const VirtualStage& stage(std::int64_t pp, std::int64_t chunk) const {
    return stages_[static_cast<std::size_t>(chunk * s_.layout.pp + pp)];
  }
  OpId& data_stream(std::int64_t pp, std::int64_t lane) {
    return data_[static_cast<std::size_t>(pp * wiring_->lanes() + lane)];
  }
  template <class Visit>
  void for_each_replica_and_lane(Visit visit) const {
    for (std::int64_t d = 0; d < wiring_->replicas(); ++d) {
      for (std::int64_t t = 0; t < wiring_->lanes(); ++t) visit(d, t);
    }
  }

  // A data-parallel collective of one tensor lane of a stage, after the last one and `after`.
  OpId add_data_collective(std::int64_t pp, std::int64_t lane, std::int64_t chunk, Purpose purpose,
                           collective::Op op, Bytes bytes, std::vector<OpId> after) {
    const Coordinates group{.tp = lane, .pp = pp};
    OpId& stream = data_stream(pp, lane);
    after.push_back(stream);
    stream = communications_.add_collective(wiring_->data_ring(group), "dp", op, bytes, purpose,
                                            {.rank = wiring_->rank(group), .chunk = chunk}, after);
    return stream;
  }
  OpId gather(std::int64_t pp, std::int64_t lane, std::int64_t chunk, double parameters,
              std::vector<OpId> after) {
    const Bytes bytes(parameters * model::element_bytes(s_.training.precision));
    return add_data_collective(pp, lane, chunk, Purpose::parameter_gather,
                               collective::Op::all_gather, bytes, std::move(after));
  }

  // The parameters that the last step's optimizer left in shards, chunk by chunk as they are
  // needed.
  void gather_parameters() {
    for (std::int64_t pp = 0; pp < s_.layout.pp; ++pp) {
      for (std::int64_t chunk = 0; chunk < s_.layout.vpp; ++chunk) {
        std::vector<std::vector<OpId>> by_piece;
        for (const Piece& piece : bucket_pieces(s_, stage(pp, chunk))) {
          std::vector<OpId> by_lane;
          for (std::int64_t t = 0; t < wiring_->lanes(); ++t) {
            by_lane.push_back(gather(pp, t, chunk, piece.parameters, {}));
          }
          by_piece.push_back(std::move(by_lane));
        }
        gathers_[static_cast<std::size_t>(pp)].push_back(std::move(by_piece));
      }
    }
  }

  void add_passes(std::int64_t pp, std::int64_t d) {
    const auto& slots = out_.schedule.ranks[static_cast<std::size_t>(pp)];
    std::vector<std::int64_t> left(static_cast<std::size_t>(s_.layout.vpp), s_.microbatches());
    std::size_t reduction = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const schedule::Slot& slot = slots[i];
      const VirtualStage& st = stage(pp, slot.chunk);
      if (slot.pass == Pass::forward) {
        add_forward(st, d, slot.microbatch);
        continue;
      }
      // A chunk's gradients are reduced once they are complete, after its last backward pass in the
      // order of the schedule; with ZeRO-2, which does not keep them, after every run of passes.
      const bool complete = --left[static_cast<std::size_t>(slot.chunk)] == 0;
      const bool reduces =
          complete || (s_.layout.zero >= 2 && schedule::ends_backward_run(slots, i));
      add_backward(st, d, slot.microbatch, reduces, reduction);
    }
  }

  void add_forward(const VirtualStage& st, std::int64_t d, std::int64_t microbatch) {
    const auto& gathers = gathers_[static_cast<std::size_t>(st.rank)];
    if (microbatch > 0 || gathers.empty()) {
      passes_.add(Pass::forward, st, d, microbatch, whole_piece(s_, st), false, {});
      return;
    }
    const std::vector<Piece> pieces = bucket_pieces(s_, st);
    const auto& by_piece = gathers[static_cast<std::size_t>(st.chunk)];
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      passes_.add(Pass::forward, st, d, microbatch, pieces[i], true, by_piece[i]);
    }
  }

  void add_backward(const VirtualStage& st, std::int64_t d, std::int64_t microbatch, bool reduces,
                    std::size_t& reduction) {
    if (!reduces || !reduces_gradients() || !s_.layout.overlap_gradients) {
      passes_.add(Pass::backward, st, d, microbatch, whole_piece(s_, st), false, {});
      return;
    }
    std::vector<Piece> pieces = bucket_pieces(s_, st);
    std::reverse(pieces.begin(), pieces.end());
    auto& reductions = reductions_[static_cast<std::size_t>(st.rank)];
    for (const Piece& piece : pieces) {
      passes_.add(Pass::backward, st, d, microbatch, piece, true, {});
      // Every replica runs the same schedule, so the k-th reduction of one is that of all.
      if (reduction == reductions.size()) reductions.push_back({st.chunk, piece.parameters, {}});
      for (std::int64_t t = 0; t < wiring_->lanes(); ++t) {
        reductions[reduction].producers.push_back(passes_.last({.tp = t, .dp = d, .pp = st.rank}));
      }
      ++reduction;
    }
  }

  // Activations to the next virtual stage, their gradients back.
  void hand_over() {
    for (std::size_t v = 0; v + 1 < stages_.size(); ++v) {
      for (std::int64_t mb = 0; mb < s_.microbatches(); ++mb) {
        for_each_replica_and_lane([&](std::int64_t d, std::int64_t t) {
          send(Pass::forward, stages_[v], stages_[v + 1], d, t, mb);
          send(Pass::backward, stages_[v + 1], stages_[v], d, t, mb);
        });
      }
    }
  }

  void send(Pass pass, const VirtualStage& from, const VirtualStage& to, std::int64_t d,
            std::int64_t t, std::int64_t microbatch) {
    const PassEnds& producer = passes_.ends(pass, from, d, t, microbatch);
    const PassEnds& consumer = passes_.ends(pass, to, d, t, microbatch);
    const Coordinates source{.tp = t, .dp = d, .pp = from.rank};
    const Coordinates target{.tp = t, .dp = d, .pp = to.rank};
    const OpId op = communications_.add_send(
        wiring_->route(source, target), pass, gather_time(),
        {.rank = wiring_->rank(source), .chunk = from.chunk, .microbatch = microbatch},
        std::array{producer.last, producer.last_exchange});
    out_.graph.add_dependency(op, consumer.first);
    if (s_.layout.overlap_p2p) return;
    // A blocking send: what the sender runs next waits for the hand-over.
    if (producer.next != no_op) out_.graph.add_dependency(op, producer.next);
  }

  // How long the tensor ranks of a stage take to gather a hand-over that came in parts.
  [[nodiscard]] Seconds gather_time() const {
    const model::Slice slice = model::slice_of(s_);
    if (slice.tp == 1 || slice.sequence_parallel) return Seconds(0);
    const Bytes whole(static_cast<double>(slice.tokens()) * static_cast<double>(s_.model.hidden) *
                      slice.element_bytes);
    return timer_.exchange_time({"gather hand-over", model::ExchangeKind::all_gather, whole});
  }

  [[nodiscard]] double rank_parameters(std::int64_t pp) const {
    double total = 0;
    for (std::int64_t chunk = 0; chunk < s_.layout.vpp; ++chunk) {
      total += whole_piece(s_, stage(pp, chunk)).parameters;
    }
    return total;
  }

  void reduce_gradients() {
    if (!reduces_gradients()) return;
    const auto op =
        s_.layout.zero >= 1 ? collective::Op::reduce_scatter : collective::Op::all_reduce;
    const double element = model::element_bytes(s_.training.gradient_precision);
    for (std::int64_t pp = 0; pp < s_.layout.pp; ++pp) {
      auto& reductions = reductions_[static_cast<std::size_t>(pp)];
      if (!s_.layout.overlap_gradients) {
        reductions.push_back({0, rank_parameters(pp), {}});
        for_each_replica_and_lane([&](std::int64_t d, std::int64_t t) {
          reductions.back().producers.push_back(passes_.last({.tp = t, .dp = d, .pp = pp}));
        });
      }
      for (const Reduction& r : reductions) {
        for (std::int64_t t = 0; t < wiring_->lanes(); ++t) {
          add_data_collective(pp, t, r.chunk, Purpose::gradient_reduce, op,
                              Bytes(r.parameters * element), producers_of(r, t));
        }
      }
    }
  }

  [[nodiscard]] std::vector<OpId> producers_of(const Reduction& r, std::int64_t lane) const {
    std::vector<OpId> producers;
    for (std::int64_t d = 0; d < wiring_->replicas(); ++d) {
      producers.push_back(r.producers[static_cast<std::size_t>(d * wiring_->lanes() + lane)]);
    }
    return producers;
  }

  // Embedding and head are one tensor on two stages: their gradients are summed over both.
  void reduce_tied_embeddings() {
    if (!layout::ties_across_stages(s_.model, s_.layout)) return;
    const std::int64_t end = s_.layout.pp - 1;
    const double shared = model::head_parameters(s_.model).per_rank(s_.layout.tp);
    const Bytes bytes(shared * model::element_bytes(s_.training.gradient_precision));
    for_each_replica_and_lane([&](std::int64_t d, std::int64_t t) {
      const Coordinates first{.tp = t, .dp = d, .pp = 0};
      const Coordinates last{.tp = t, .dp = d, .pp = end};
      const std::array after{passes_.last(first), data_stream(0, t), passes_.last(last),
                             data_stream(end, t)};
      tied_.push_back(communications_.add_pair_all_reduce(wiring_->route(first, last),
                                                          wiring_->route(last, first), bytes,
                                                          {.rank = wiring_->rank(first)}, after));
    });
  }

  // Every GPU waits for the norm of the gradients of all before it updates its parameters.
  void step_optimizer() {
    std::vector<OpId> gradients = tied_;
    for (std::int64_t pp = 0; pp < s_.layout.pp; ++pp) {
      for_each_replica_and_lane([&](std::int64_t d, std::int64_t t) {
        gradients.push_back(passes_.last({.tp = t, .dp = d, .pp = pp}));
      });
      for (std::int64_t t = 0; t < wiring_->lanes(); ++t) gradients.push_back(data_stream(pp, t));
    }
    graph::Op norm;
    norm.purpose = Purpose::gradient_norm;
    norm.stream = Stream::data;
    norm.duration = gradient_norm_time(s_);
    const OpId all = out_.graph.add(norm, gradients);
    for (std::int64_t pp = 0; pp < s_.layout.pp; ++pp) {
      const Seconds duration = optimizer_time(s_, rank_parameters(pp));
      for_each_replica_and_lane([&](std::int64_t d, std::int64_t t) {
        const Coordinates at{.tp = t, .dp = d, .pp = pp};
        graph::Op op;
        op.purpose = Purpose::optimizer;
        op.rank = wiring_->rank(at);
        op.duration = duration / wiring_->speed(at);
        passes_.set_last(at, out_.graph.add(op, std::array{passes_.last(at), all}));
      });
    }
  }

  void gather_at_end() {
    for (std::int64_t pp = 0; pp < s_.layout.pp; ++pp) {
      for (std::int64_t t = 0; t < wiring_->lanes(); ++t) {
        std::vector<OpId> after;
        for (std::int64_t d = 0; d < wiring_->replicas(); ++d) {
          after.push_back(passes_.last({.tp = t, .dp = d, .pp = pp}));
        }
        gather(pp, t, 0, rank_parameters(pp), std::move(after));
      }
    }
  }

  const config::Scenario& s_;
  StepGraph& out_;
  layout::Mesh mesh_;
  std::vector<VirtualStage> stages_;
  std::unique_ptr<Wiring> wiring_;
  BlockTimer timer_;
  Communications communications_;
  Passes passes_;
  std::vector<OpId> data_;  // by stage and lane: the last on the data-parallel stream
  std::vector<std::vector<std::vector<std::vector<OpId>>>> gathers_;  // stage, chunk, piece, lane
  std::vector<std::vector<Reduction>> reductions_;                    // by stage
  std::vector<OpId> tied_;
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

StepGraph build_step(const config::Scenario& scenario, const topology::Fabric& fabric,
                     Fidelity fidelity) {
  StepGraph step;
  step.fidelity = fidelity;
  step.schedule = make_schedule(scenario);
  Builder(scenario, fabric, step).build();
  return step;
}

}  // namespace flotilla::step
