#include "sim/step/passes.h"

#include <array>

namespace flotilla::step {

using graph::no_op;
using graph::OpId;
using graph::Purpose;
using layout::Coordinates;
using schedule::Pass;

namespace {

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

}  // namespace

Passes::Passes(const config::Scenario& scenario, Wiring& wiring, const BlockTimer& timer,
               graph::OpGraph& graph, Communications& communications,
               bool every_exchange_meets_others)
    : scenario_(scenario),
      wiring_(wiring),
      graph_(graph),
      communications_(communications),
      blocks_(scenario, timer, graph),
      expand_all_(scenario.layout.tp > 1 && every_exchange_meets_others),
      expand_buckets_(scenario.layout.tp > 1 && wiring.data_ring({}).placement.ranks_per_node > 1),
      lanes_(size(scenario.layout.pp * wiring.replicas() * wiring.lanes())),
      exchanges_(size(scenario.layout.pp * wiring.replicas()), no_op) {
  const std::int64_t passes = scenario.layout.virtual_stages() * scenario.microbatches() *
                              wiring.replicas() * wiring.lanes();
  forward_.resize(size(passes));
  backward_.resize(size(passes));
}

std::size_t Passes::pass_index(const layout::VirtualStage& stage, std::int64_t replica,
                               std::int64_t lane, std::int64_t microbatch) const {
  const std::int64_t v = stage.chunk * scenario_.layout.pp + stage.rank;
  return size(((v * scenario_.microbatches() + microbatch) * wiring_.replicas() + replica) *
                  wiring_.lanes() +
              lane);
}

std::size_t Passes::lane_index(const Coordinates& at) const {
  return size((at.pp * wiring_.replicas() + at.dp) * wiring_.lanes() + at.tp);
}

Coordinates Passes::at(const Work& work, std::int64_t lane) const {
  return {.tp = lane, .cp = 0, .dp = work.replica, .pp = work.stage.rank};
}

Passes::Lane& Passes::lane_of(const Work& work, std::int64_t lane) {
  return lanes_[lane_index(at(work, lane))];
}

PassEnds& Passes::enter_pass(const Work& work, std::int64_t lane, OpId op) {
  auto& table = work.pass == Pass::forward ? forward_ : backward_;
  PassEnds& ends = table[pass_index(work.stage, work.replica, lane, work.microbatch)];
  if (ends.first != no_op) return ends;
  ends.first = op;
  PassEnds*& current = lane_of(work, lane).pass;
  if (current != nullptr) current->next = op;
  current = &ends;
  return ends;
}

const PassEnds& Passes::ends(Pass pass, const layout::VirtualStage& stage, std::int64_t replica,
                             std::int64_t lane, std::int64_t microbatch) const {
  const auto& table = pass == Pass::forward ? forward_ : backward_;
  return table[pass_index(stage, replica, lane, microbatch)];
}

OpId Passes::last(const Coordinates& at) const { return lanes_[lane_index(at)].compute; }
void Passes::set_last(const Coordinates& at, OpId op) { lanes_[lane_index(at)].compute = op; }

// A pass is one block where its exchanges cannot meet other traffic: then they take as long as they
// take alone, and the block is exact. A slow GPU hides more of an exchange than the block knows of.
bool Passes::expands(const Work& work, bool bucket) const {
  const bool slow = scenario_.layout.tp > 1 && wiring_.speed(at(work, 0)) != 1;
  return expand_all_ || slow || (expand_buckets_ && bucket);
}

void Passes::add(Pass pass, const layout::VirtualStage& stage, std::int64_t replica,
                 std::int64_t microbatch, const Piece& piece, bool bucket,
                 std::span<const OpId> also_after) {
  Work work{.pass = pass,
            .stage = stage,
            .replica = replica,
            .microbatch = microbatch,
            .also_after = {also_after.begin(), also_after.end()}};
  work.also_after.resize(size(wiring_.lanes()), no_op);
  if (!expands(work, bucket)) {
    add_block(work, piece);
    return;
  }
  for (const Script* script : blocks_.scripts(pass, piece)) add_script(work, *script);
}

void Passes::add_block(Work& work, const Piece& piece) {
  const std::int32_t profile = blocks_.profile(work.pass, piece);
  for (std::int64_t lane = 0; lane < wiring_.lanes(); ++lane) {
    add_kernels(work, lane, profile, no_op);
  }
}

void Passes::add_script(Work& work, const Script& script) {
  std::vector<OpId> done(script.size(), no_op);
  OpId last_exchange = no_op;
  for (std::size_t i = 0; i < script.size(); ++i) {
    const ScriptStep& step = script[i];
    const OpId waits_for = step.waits_for < 0 ? no_op : done[size(step.waits_for)];
    if (step.is_exchange) {
      done[i] = last_exchange = add_exchange(work, step.exchange, waits_for);
      continue;
    }
    for (std::int64_t lane = 0; lane < wiring_.lanes(); ++lane) {
      add_kernels(work, lane, step.profile, waits_for);
    }
  }
  // What comes next waits for the last exchange too, as BlockTimer has it.
  if (last_exchange == no_op) return;
  for (std::int64_t lane = 0; lane < wiring_.lanes(); ++lane) {
    lane_of(work, lane).barrier = last_exchange;
  }
}

void Passes::add_kernels(Work& work, std::int64_t lane, std::int32_t profile, OpId waits_for) {
  graph::Op op;
  op.purpose = work.pass == Pass::forward ? Purpose::forward : Purpose::backward;
  op.rank = wiring_.rank(at(work, lane));
  op.microbatch = static_cast<std::int32_t>(work.microbatch);
  op.chunk = static_cast<std::int32_t>(work.stage.chunk);
  op.profile = profile;
  const graph::BlockProfile& block = graph_.profiles()[size(profile)];
  const double speed = wiring_.speed(at(work, lane));
  op.duration = (block.compute + block.recompute) / speed + block.tensor_exposed;
  Lane& state = lane_of(work, lane);
  OpId& also = work.also_after[size(lane)];
  state.compute = graph_.add(op, std::array{state.compute, state.barrier, waits_for, also});
  state.barrier = no_op;
  also = no_op;
  enter_pass(work, lane, state.compute).last = state.compute;
}

OpId Passes::add_exchange(Work& work, const model::Exchange& exchange, OpId waits_for) {
  const Coordinates first = at(work, 0);
  OpId& stream = exchanges_[size(first.pp * wiring_.replicas() + first.dp)];
  std::vector<OpId> after{stream, waits_for};
  for (std::int64_t lane = 0; lane < wiring_.lanes(); ++lane) {
    after.push_back(lane_of(work, lane).compute);
    after.push_back(work.also_after[size(lane)]);
    work.also_after[size(lane)] = no_op;
  }
  stream = communications_.add_collective(
      wiring_.tensor_ring(first), "tp", op_of(exchange.kind), exchange.bytes,
      Purpose::tensor_exchange,
      {.rank = wiring_.rank(first), .chunk = work.stage.chunk, .microbatch = work.microbatch},
      after);
  for (std::int64_t lane = 0; lane < wiring_.lanes(); ++lane) {
    enter_pass(work, lane, stream).last_exchange = stream;
  }
  return stream;
}

}  // namespace flotilla::step
