#include "sim/cost/memory_bound.h"

namespace flotilla::cost {

BytesPerSecond streaming_bandwidth(const config::Gpu& gpu) {
  return gpu.memory_bandwidth * gpu.memory_bound.efficiency;
}

Seconds memory_bound_time(Bytes traffic, const config::Gpu& gpu) {
  return gpu.memory_bound.launch + traffic / streaming_bandwidth(gpu);
}

}  // namespace flotilla::cost
