#include "sim/config/check.h"
#include "sim/config/read.h"

namespace flotilla::config {

namespace {

constexpr double kGradientBucketBytes = 40e6 * 4;  // Megatron-LM: 40 M parameters in fp32

class Defaults {
 public:
  Defaults(const JsonValue& tree, Scenario& scenario) : tree_(tree), scenario_(scenario) {}

  [[nodiscard]] bool given(std::string_view path) const { return tree_.at(path) != nullptr; }

  void assume(std::string_view path, const std::string& sentence) {
    if (!given(path)) scenario_.assumptions.push_back(sentence);
  }

  // One sentence for several keys of an object; those that are given are left out.
  void assume_keys(const std::string& object,
                   const std::vector<std::pair<std::string, std::string>>& values) {
    std::string assumed;
    for (const auto& [key, value] : values) {
      if (given(object + "." + key)) continue;
      assumed += (assumed.empty() ? "" : ", ") + key + " " + value;
    }
    if (assumed.empty()) return;
    scenario_.assumptions.push_back(object + " with " + assumed + " assumed; these keys change it");
  }

  void model() {
    assume_keys("model", {{"activation", "gelu"},
                          {"norm", "layernorm"},
                          {"positions", "rotary"},
                          {"biases", "false"},
                          {"tied_embeddings", "false"}});
  }

  void platform() {
    const Platform& platform = scenario_.platform;
    if (platform.node.gpus > 1) assume_keys("platform.node.link", {{"efficiency", "1"}});
    if (platform.node.nics > 0) assume_keys("platform.node.nic", {{"efficiency", "1"}});
    const NetworkKind kind = platform.network.kind;
    if (given("platform.network") &&
        (kind == NetworkKind::rail || kind == NetworkKind::clos || kind == NetworkKind::fat_tree)) {
      assume_keys("platform.network", {{"balance", "ideal"}});
    }
    for (std::size_t i = 0; i < platform.tiers.size(); ++i) {
      assume_keys("platform.tiers." + std::to_string(i),
                  {{"oversubscription", "1"}, {"latency", "0"}});
    }
  }

  void training() {
    Training& training = scenario_.training;
    assume("training.attention",
           "flash attention assumed; training.attention: \"unfused\" changes it");
    assume("training.precision", "precision bf16 assumed; training.precision changes it");
    assume("training.micro_batch", "micro_batch 1 assumed; training.micro_batch changes it");
    if (!given("training.sequence_length")) {
      training.sequence_length = scenario_.model.sequence_length;
      if (training.sequence_length > 0) {
        assume("training.sequence_length",
               "sequence_length " + std::to_string(training.sequence_length) +
                   " taken from the model; training.sequence_length changes it");
      }
    }
    if (!given("training.gradient_precision")) {
      training.gradient_precision =
          training.precision == Precision::fp16 ? Precision::fp16 : Precision::fp32;
      assume("training.gradient_precision",
             "gradients kept and reduced in " +
                 name_of(training.gradient_precision, precision_names()) +
                 " assumed; training.gradient_precision changes it");
    }
    assume("training.attention_flops",
           "attention counted as the full square in the model FLOPs; "
           "training.attention_flops: \"causal\" counts half");
  }

  void layout() {
    Layout& layout = scenario_.layout;
    if (!given("layout.schedule")) {
      layout.schedule = layout.vpp > 1 ? ScheduleKind::interleaved : ScheduleKind::one_f_one_b;
      if (layout.pp > 1) {
        assume("layout.schedule", "schedule " + name_of(layout.schedule, schedule_names()) +
                                      " assumed; layout.schedule changes it");
      }
    }
    if (!given("layout.overlap_p2p")) {
      layout.overlap_p2p = layout.schedule == ScheduleKind::interleaved;
    }
    if (!given("layout.gradient_bucket")) layout.gradient_bucket = Bytes(kGradientBucketBytes);
    overlap();
    assume("layout.recompute", "no recompute assumed; layout.recompute changes it");
    if (layout.tp > 1) {
      assume("layout.sequence_parallel",
             "no sequence parallelism assumed; layout.sequence_parallel: true changes it");
    }
    if (layout.gpus > layout.tp * layout.pp) {  // several replicas
      assume("layout.zero",
             "optimizer states not sharded (zero 0) assumed; layout.zero changes it");
    }
    if (layout.gpus > layout.tp * layout.pp && layout.pp > 1) {
      assume("layout.rank_order", "rank order tp-cp-dp-pp assumed; layout.rank_order changes it");
    }
  }

  // Which traffic hides behind the passes.
  void overlap() {
    const Layout& layout = scenario_.layout;
    const bool replicas = layout.gpus > layout.tp * layout.pp;
    std::vector<std::pair<std::string, std::string>> values;
    if (layout.pp > 1) values.emplace_back("overlap_p2p", layout.overlap_p2p ? "true" : "false");
    if (replicas) {
      values.emplace_back("overlap_gradients", "true");
      values.emplace_back("gradient_bucket", to_text(layout.gradient_bucket));
    }
    if (replicas && layout.zero > 0) values.emplace_back("overlap_parameters", "true");
    assume_keys("layout", values);
  }

  // Values that were given and change nothing.
  void without_effect() {
    Layout& layout = scenario_.layout;
    if (layout.tp == 1 && layout.sequence_parallel) {
      layout.sequence_parallel = false;
      scenario_.assumptions.emplace_back("layout.sequence_parallel has no effect: tp is 1");
    }
    const auto note = [&](std::string_view path, const std::string& reason) {
      if (given(path)) {
        scenario_.assumptions.push_back(std::string(path) + " has no effect: " + reason);
      }
    };
    if (layout.recompute == Recompute::selective &&
        scenario_.training.attention == Attention::flash) {
      scenario_.assumptions.emplace_back(
          "layout.recompute selective saves next to nothing: flash attention keeps no scores");
    }
    if (layout.tp == 1) note("layout.overlap_tensor", "tp is 1");
    if (layout.pp == 1) {
      note("layout.schedule", "pp is 1");
      note("layout.overlap_p2p", "pp is 1");
    }
    if (layout.gpus == layout.tp * layout.pp) {
      note("layout.overlap_gradients", "dp is 1");
      note("layout.gradient_bucket", "dp is 1");
      if (layout.zero > 0) note("layout.zero", "dp is 1");
    }
    if (layout.zero == 0 || layout.gpus == layout.tp * layout.pp) {
      note("layout.overlap_parameters", layout.zero == 0 ? "zero is 0" : "dp is 1");
    }
  }

 private:
  const JsonValue& tree_;
  Scenario& scenario_;
};

}  // namespace

void apply_defaults(const JsonValue& tree, Scenario& scenario, const ProblemList& problems) {
  Defaults defaults(tree, scenario);
  Layout& layout = scenario.layout;
  // gpus or dp: whichever is missing follows from the other.
  if (tree.at("layout.gpus") == nullptr && problems.sound("layout")) {
    layout.gpus = layout.tp * layout.pp * layout.cp * layout.dp;
  }
  defaults.model();
  defaults.platform();
  defaults.training();
  defaults.layout();
  defaults.without_effect();
}

}  // namespace flotilla::config
