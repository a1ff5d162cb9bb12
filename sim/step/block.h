// A part of a pass, timed: the program's kernels and exchanges on their two streams.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/collective/collective.h"
#include "sim/config/scenario.h"
#include "sim/graph/op_graph.h"
#include "sim/model/program.h"

namespace flotilla::step {

// One kind of call to the collective library; operations and segments refer to it by index.
struct CollectiveKind {
  std::string group;  // "tp", "dp", "pp", "embedding"
  std::string op;     // "all_reduce", "all_gather", "reduce_scatter", "send"
  std::string algorithm;
  std::string where;
  std::int64_t ranks = 0;
  Bytes bytes;            // the whole tensor
  double bus_factor = 1;  // busbw / algbw
  bool operator==(const CollectiveKind&) const = default;
};

class CollectiveTable {
 public:
  // The index of that kind; equal kinds have one index.
  std::int32_t index(const CollectiveKind& kind);
  [[nodiscard]] const std::vector<CollectiveKind>& kinds() const { return kinds_; }

 private:
  std::vector<CollectiveKind> kinds_;
};

// What the collective library calls an exchange.
collective::Op op_of(model::ExchangeKind kind);

// Times programs for one GPU of a scenario and its tensor-parallel group.
class BlockTimer {
 public:
  BlockTimer(const config::Scenario& scenario, collective::Placement tensor_group,
             CollectiveTable& table);

  // Kernels run one after the other; an exchange starts when the kernels before it and the
  // exchanges before it are done; a step that waits for an exchange starts when that has ended.
  // Kernels beside an exchange have to do without the multiprocessors that it occupies.
  [[nodiscard]] graph::BlockProfile time(const model::Program& program) const;

  [[nodiscard]] Seconds exchange_time(const model::Exchange& exchange) const;

 private:
  [[nodiscard]] collective::Plan exchange_plan(const model::Exchange& exchange) const;
  std::int32_t table_index(const model::Exchange& exchange) const;
  // Of a kernel on the slowest GPU, with the whole GPU to itself.
  [[nodiscard]] Seconds kernel_time(const model::Kernel& kernel) const;

  const config::Scenario& scenario_;
  collective::Placement tensor_group_;
  CollectiveTable& table_;
  double slowdown_;      // of the slowest GPU against the mean
  double beside_speed_;  // of kernels beside an exchange, as a share of their own
};

// `parts` one after the other; `layer` of their segments counts on.
graph::BlockProfile concatenate(std::string name,
                                const std::vector<const graph::BlockProfile*>& parts);

// How reports call the place where a collective runs.
std::string where_name(const collective::Placement& placement);
std::string_view link_name(config::LinkKind kind);

}  // namespace flotilla::step
