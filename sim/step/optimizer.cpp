#include "sim/step/optimizer.h"

#include <algorithm>
#include <cmath>

#include "sim/cost/kernel_time.h"
#include "sim/layout/memory.h"
#include "sim/model/kernel.h"
#include "sim/model/slice.h"

namespace flotilla::step {

Seconds optimizer_time(const config::Scenario& s, double parameters) {
  const double shards = s.layout.zero >= 1 ? static_cast<double>(s.layout.dp * s.layout.cp) : 1.0;
  const double gradient = model::element_bytes(s.training.gradient_precision);
  const double weight = model::element_bytes(s.training.precision);
  const double state = layout::optimizer_bytes_per_parameter(s.training.precision);
  const double update = parameters / shards * (2 * state + 2 * gradient + weight);
  const double zeroing = parameters / (s.layout.zero >= 2 ? shards : 1.0) * gradient;
  return cost::kernel_time(model::memory_kernel("adam", Bytes(update + zeroing)), s.platform.gpu,
                           s.training.precision);
}

Seconds gradient_norm_time(const config::Scenario& s) {
  const auto ranks = static_cast<double>(s.layout.tp * s.layout.pp);
  if (ranks <= 1) return Seconds(0);
  const bool one_node = s.layout.tp * s.layout.pp <= s.platform.node.gpus;
  const auto kind = one_node ? s.platform.node.link.kind : config::LinkKind::network;
  Seconds best;
  bool found = false;
  for (const config::Protocol& protocol : s.platform.library.protocols) {
    const auto hop = protocol.hop.find(kind);
    Seconds time = protocol.base;
    if (hop != protocol.hop.end()) time += hop->second * (2 * std::ceil(std::log2(ranks)));
    best = found ? std::min(best, time) : time;
    found = true;
  }
  return best;
}

}  // namespace flotilla::step
