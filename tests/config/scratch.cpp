#include "tests/config/scratch.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/catch.h"

namespace flotilla::test {

namespace fs = std::filesystem;

std::string legal_scenario() {
  return R"({
  "model": {
    "layers": 24, "hidden": 1024, "heads": 16, "kv_heads": 8, "ffn": 4096, "vocab": 32000,
    "activation": "swiglu", "norm": "rmsnorm", "positions": "rotary",
    "biases": false, "tied_embeddings": false, "sequence_length": 2048
  },
  "platform": {
    "nodes": 4,
    "gpu": {
      "name": "Tester", "memory": "80 GB", "memory_bandwidth": "2 TB/s", "multiprocessors": 100,
      "peak": { "fp32": "20 TFLOP/s", "bf16": "300 TFLOP/s" },
      "gemm": { "efficiency": 0.8, "launch": "4 us" },
      "attention": { "forward_efficiency": 0.6, "backward_efficiency": 0.5, "launch": "5 us" },
      "memory_bound": { "efficiency": 0.8, "launch": "4 us" }
    },
    "node": { "gpus": 8, "fabric": "nvswitch", "link": "nvlink3", "nics": 8, "nic": "ib-hdr-200" },
    "tiers": [ { "name": "leaf", "nodes": 4, "oversubscription": 1, "latency": "1 us" } ],
    "library": "nccl"
  },
  "layout": { "gpus": 16, "tp": 4, "pp": 2 },
  "training": { "global_batch": 32, "micro_batch": 2, "precision": "bf16" }
}
)";
}

std::string legal_but(const std::string& piece, const std::string& replacement) {
  std::string text = legal_scenario();
  const std::size_t at = text.find(piece);
  REQUIRE(at != std::string::npos);
  return text.replace(at, piece.size(), replacement);
}

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "flotilla-config-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Scratch::write(const std::string& name, const std::string& text) const {
  const fs::path path = fs::path(folder_) / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

config::Sources shipped(const Overrides& overrides) {
  return {.overrides = overrides, .library_root = FLOTILLA_SOURCE_DIR};
}

config::Scenario load_file(const std::string& file, const Overrides& overrides) {
  return config::load_scenario(file, shipped(overrides));
}

config::Scenario load_text(const std::string& text, const Overrides& overrides) {
  const Scratch scratch;
  return load_file(scratch.write("mine.json", text), overrides);
}

std::string refusal_of_file(const std::string& file, const Overrides& overrides) {
  try {
    load_file(file, overrides);
  } catch (const config::InvalidInput& error) {
    return error.what();
  }
  FAIL("the input was accepted");
  return {};
}

std::string refusal(const std::string& text, const Overrides& overrides) {
  const Scratch scratch;
  return refusal_of_file(scratch.write("mine.json", text), overrides);
}

}  // namespace flotilla::test
