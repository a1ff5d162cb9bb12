// What one GPU does in a part of a pass: kernels in order on the compute stream, and the exchanges
// of its tensor-parallel group in order on a stream beside it.
#pragma once

#include <string_view>
#include <vector>

#include "sim/model/kernel.h"
#include "sim/units/quantity.h"

namespace flotilla::model {

enum class ExchangeKind { all_reduce, all_gather, reduce_scatter };

// `bytes` is the whole tensor: what all-reduce sums, what all-gather ends with, what reduce-scatter
// starts from.
struct Exchange {
  std::string_view name;
  ExchangeKind kind = ExchangeKind::all_reduce;
  Bytes bytes;
};

struct Step {
  bool is_exchange = false;
  bool is_recompute = false;
  Kernel kernel;
  Exchange exchange;
  // Position of an exchange that must have ended before this step starts; -1: none. An exchange
  // also waits for the kernels added before it; a kernel waits for the kernels before it.
  int waits_for = -1;
};

class Program {
 public:
  void add(const Kernel& kernel);
  // Starts once the kernels so far are done; returns its handle. Kernels added next run beside it.
  int start(const Exchange& exchange);
  // The next kernel (and so all that follow) waits for that exchange.
  void wait(int exchange);
  // An exchange that nothing runs beside.
  void exchange(const Exchange& exchange) { wait(start(exchange)); }
  // Everything of `part` once more, marked as recomputation.
  void recompute(const Program& part);
  // Everything of `part`, `part`'s last exchange included, as if it had been added here.
  void append(const Program& part);

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  // An exchange that the end of the program waits for; -1: none.
  [[nodiscard]] int pending() const { return pending_; }
  [[nodiscard]] Flops flops() const;

 private:
  void copy(const Program& part, bool recompute);

  std::vector<Step> steps_;
  int pending_ = -1;  // the next kernel waits for it
};

}  // namespace flotilla::model
