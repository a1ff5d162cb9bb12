// GPUs for the tests of sim/cost: a made-up one with round numbers, and the shipped ones.
#pragma once

#include <string>

#include "sim/config/gpu.h"
#include "sim/config/json_document.h"
#include "sim/config/problem.h"
#include "sim/config/read.h"
#include "sim/config/reader.h"
#include "sim/config/source_text.h"

namespace flotilla::test {

// 100 SMs of 1 TFLOP/s each in 16 bits and 2 in fp8, all of it attained; 1 TB/s; nothing is lost to
// launches, fills and smaller tiles, except that tiles below 256 x 128 are too slow to be chosen.
inline config::Gpu round_gpu() {
  config::Gpu gpu;
  gpu.name = "round";
  gpu.memory = Bytes(80e9);
  gpu.memory_bandwidth = BytesPerSecond(1e12);
  gpu.multiprocessors = 100;
  gpu.peak = {{config::Precision::bf16, FlopsPerSecond(100e12)},
              {config::Precision::fp8, FlopsPerSecond(200e12)}};
  gpu.gemm.tile_reuse = 1e6;
  return gpu;
}

// The same with memory so fast that only the SMs count.
inline config::Gpu compute_bound_gpu() {
  config::Gpu gpu = round_gpu();
  gpu.memory_bandwidth = BytesPerSecond(1e20);
  return gpu;
}

// platforms/gpus/<name>.json
inline config::Gpu shipped_gpu(const std::string& name) {
  const auto source =
      config::read_source(std::string(FLOTILLA_SOURCE_DIR) + "/platforms/gpus/" + name + ".json");
  const auto json = config::parse_json(source);
  config::ProblemList problems;
  config::Gpu gpu;
  config::read_gpu(config::Reader(json, "", problems), gpu);
  problems.throw_if_any();
  return gpu;
}

}  // namespace flotilla::test
