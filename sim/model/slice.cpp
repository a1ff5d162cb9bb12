#include "sim/model/slice.h"

namespace flotilla::model {

double element_bytes(config::Precision precision) {
  return precision == config::Precision::fp32 || precision == config::Precision::tf32 ? 4 : 2;
}

Slice slice_of(const config::Scenario& scenario) {
  Slice slice;
  slice.tp = scenario.layout.tp;
  slice.sequence_parallel = scenario.layout.sequence_parallel && slice.tp > 1;
  slice.micro_batch = scenario.training.micro_batch;
  slice.sequence_length = scenario.training.sequence_length;
  slice.attention = scenario.training.attention;
  slice.recompute = scenario.layout.recompute;
  slice.element_bytes = element_bytes(scenario.training.precision);
  slice.gradient_bytes = element_bytes(scenario.training.gradient_precision);
  slice.fused_gradients = scenario.training.fused_gradients;
  slice.overlap_exchanges = scenario.layout.overlap_tensor;
  return slice;
}

}  // namespace flotilla::model
