#include "tests/support/models.h"

#include "sim/config/load.h"
#include "sim/config/stage_split.h"

namespace flotilla::test {

config::Scenario shipped_scenario(const std::string& name,
                                  const std::vector<std::string>& overrides) {
  return config::load_scenario(name, {.overrides = overrides, .library_root = FLOTILLA_SOURCE_DIR});
}

config::Model shipped_model(const std::string& name) {
  // Any scenario will do; one card holds any model as far as loading goes.
  return shipped_scenario("one-card", {"model=" + name, "layout.tp=1", "layout.pp=1"}).model;
}

config::Model small_model() {
  config::Model m;
  m.name = "small";
  m.layers = 4;
  m.hidden = 512;
  m.heads = 8;
  m.kv_heads = 8;
  m.head_dim = 64;
  m.ffn = 2048;
  m.vocab = 1024;
  m.positions = config::Positions::learned;
  m.max_positions = 256;
  m.biases = true;
  m.sequence_length = 256;
  return m;
}

config::Platform ideal_platform(std::int64_t gpus_per_node, std::int64_t nodes) {
  config::Platform p;
  p.name = "ideal";
  p.nodes = nodes;
  p.gpu.name = "ideal GPU";
  p.gpu.memory = Bytes(80e9);
  p.gpu.memory_bandwidth = BytesPerSecond(1e18);
  p.gpu.multiprocessors = 1;
  for (auto precision :
       {config::Precision::fp16, config::Precision::bf16, config::Precision::fp32}) {
    p.gpu.peak[precision] = FlopsPerSecond(100e12);
  }
  p.gpu.gemm.tile_m = 1;
  p.gpu.gemm.tile_n = 1;
  const config::Link link{.name = "ideal link",
                          .source = {},
                          .kind = config::LinkKind::nvlink,
                          .bandwidth = BytesPerSecond(100e9),
                          .efficiency = 1,
                          .latency = {}};
  p.node.gpus = gpus_per_node;
  p.node.link = link;
  if (nodes > 1) {
    p.node.nics = gpus_per_node;
    p.node.nic = link;
    p.node.nic.kind = config::LinkKind::network;
    p.node.nic.bandwidth = BytesPerSecond(10e9);
  }
  p.library.name = "ideal";
  p.library.protocols = {{.name = "simple", .base = {}, .hop = {}, .bandwidth_fraction = {}}};
  return p;
}

config::Scenario small_scenario() {
  config::Scenario s;
  s.name = "small";
  s.model = small_model();
  s.platform = ideal_platform(8, 8);
  s.layout.gpus = 1;
  s.layout.gradient_bucket = Bytes(1e12);
  s.training.global_batch = 1;
  s.training.micro_batch = 1;
  s.training.sequence_length = s.model.sequence_length;
  return finish(s);
}

config::Scenario finish(config::Scenario s) {
  s.layout.dp = s.layout.gpus / (s.layout.tp * s.layout.cp * s.layout.pp);
  s.layout.stage_layers = config::split_layers(
      {.layers = s.model.layers, .pp = s.layout.pp, .vpp = s.layout.vpp, .first = {}, .last = {}});
  return s;
}

}  // namespace flotilla::test
