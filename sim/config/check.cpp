#include "sim/config/check.h"

#include <algorithm>
#include <initializer_list>

#include "sim/config/read.h"

namespace flotilla::config {

namespace {

std::string text(std::int64_t value) { return std::to_string(value); }

std::string microbatches_text(std::int64_t count) {
  return text(count) + (count == 1 ? " microbatch" : " microbatches");
}

// "252, 266": the multiples of `unit` around a value, none above `largest`.
std::string nearest_multiples(std::int64_t value, std::int64_t unit, std::int64_t largest) {
  std::vector<std::string> found;
  const std::int64_t below = std::min(value, largest) / unit * unit;
  if (below > 0) found.push_back(text(below));
  if (below + unit <= largest) found.push_back(text(below + unit));
  return found.empty() ? "" : "nearest that work: " + listed(found);
}

class Checks {
 public:
  Checks(const JsonValue& tree, const SplitRequest& split, Scenario& scenario,
         ProblemList& problems)
      : tree_(tree),
        split_(split),
        scenario_(scenario),
        model_(scenario.model),
        layout_(scenario.layout),
        training_(scenario.training),
        problems_(problems) {}

  void run() {
    tensor_parallel();
    virtual_stages();
    stages();
    if (gpus()) batch();
    precision();
    sequence();
    sharding();
  }

 private:
  using Paths = std::initializer_list<std::string_view>;

  [[nodiscard]] bool sound(Paths paths) const {
    return std::all_of(paths.begin(), paths.end(),
                       [&](std::string_view path) { return problems_.sound(path); });
  }

  // Points at the first of the paths that came from the command line, else at the first that is
  // given: what a person has just changed is what they want to hear about.
  void fault(Paths paths, const std::string& message, const std::string& hint = {}) {
    std::string_view blamed = *paths.begin();
    const JsonValue* at = nullptr;
    for (const std::string_view path : paths) {
      const JsonValue* value = tree_.at(path);
      if (value == nullptr) continue;
      if (at == nullptr ||
          (value->place.source->from_command_line() && !at->place.source->from_command_line())) {
        at = value;
        blamed = path;
      }
    }
    Place place = at != nullptr ? at->place : enclosing(blamed);
    problems_.add(place, std::string(blamed), message, hint);
  }

  [[nodiscard]] Place enclosing(std::string_view path) const {
    const JsonValue* parent = tree_.at(path.substr(0, std::min(path.find('.'), path.size())));
    Place place = parent != nullptr ? parent->place : tree_.place;
    place.length = 1;
    return place;
  }

  // Megatron replicates key/value heads when there are fewer of them than tensor ranks.
  [[nodiscard]] bool tp_fits(std::int64_t tp) const {
    const std::int64_t kv = model_.kv_heads;
    return model_.heads % tp == 0 && model_.ffn % tp == 0 && (kv % tp == 0 || tp % kv == 0);
  }

  void tensor_parallel() {
    if (!sound({"layout.tp", "model.heads", "model.kv_heads", "model.head_dim", "model.hidden",
                "model.ffn"})) {
      return;
    }
    const std::int64_t tp = layout_.tp;
    if (tp_fits(tp)) return;
    std::vector<std::string> reasons;
    if (model_.heads % tp != 0) reasons.push_back("heads " + text(model_.heads));
    if (model_.ffn % tp != 0) reasons.push_back("ffn " + text(model_.ffn));
    std::string message;
    if (!reasons.empty()) {
      message = "tp " + text(tp) +
                (reasons.size() > 1 ? " divides neither " : " does not divide ") + reasons[0];
      if (reasons.size() > 1) message += " nor " + reasons[1];
    } else {
      message = "neither of tp " + text(tp) + " and kv_heads " + text(model_.kv_heads) +
                " divides the other";
    }
    std::vector<std::string> valid;
    for (std::int64_t candidate = 1; candidate <= model_.heads; ++candidate) {
      if (tp_fits(candidate)) valid.push_back(text(candidate));
    }
    fault({"layout.tp", "model.heads", "model.kv_heads", "model.ffn"}, message,
          "tp that work for this model: " + listed(valid, 30));
  }

  void virtual_stages() {
    if (!sound({"layout.pp", "layout.vpp", "layout.schedule"})) return;
    const bool interleaved = layout_.schedule == ScheduleKind::interleaved;
    if (layout_.vpp > 1 && !interleaved) {
      fault({"layout.vpp", "layout.schedule"},
            "vpp " + text(layout_.vpp) +
                " virtual stages need the schedule interleaved-1f1b, not " +
                name_of(layout_.schedule, schedule_names()));
    } else if (interleaved && layout_.vpp < 2) {
      fault({"layout.schedule", "layout.vpp"}, "interleaved-1f1b needs vpp of at least 2",
            "\"1f1b\" is the same schedule with one stage per rank");
    } else if (interleaved && layout_.pp < 2) {
      fault({"layout.pp", "layout.vpp", "layout.schedule"},
            "interleaved-1f1b needs pp of at least 2");
    }
  }

  void stages() {
    if (!sound({"model.layers", "layout.pp", "layout.vpp", "layout.stage_layers",
                "layout.first_stage_layers", "layout.last_stage_layers"})) {
      return;
    }
    SplitRequest request = split_;
    request.layers = model_.layers;
    request.pp = layout_.pp;
    request.vpp = layout_.vpp;
    try {
      if (tree_.at("layout.stage_layers") != nullptr) {
        check_stage_layers(request, layout_.stage_layers);
      } else {
        layout_.stage_layers = split_layers(request);
      }
    } catch (const SplitFault& split_fault) {
      const std::string path = "layout." + split_fault.key;
      fault({path, "layout.pp", "layout.vpp", "model.layers"}, split_fault.message,
            split_fault.hint);
    }
  }

  // gpus = tp x pp x cp x dp, within the platform. True when dp is known afterwards.
  bool gpus() {
    if (!sound({"layout.gpus", "layout.tp", "layout.pp", "layout.cp", "layout.dp"})) return false;
    const std::int64_t replica = layout_.tp * layout_.pp * layout_.cp;
    const std::string identity = "tp " + text(layout_.tp) + " x pp " + text(layout_.pp) + " x cp " +
                                 text(layout_.cp) + " = " + text(replica);
    const bool platform_sound = sound({"platform.nodes", "platform.node.gpus"});
    const std::int64_t there =
        platform_sound ? scenario_.platform.gpus() : std::int64_t{1'000'000'000};
    if (layout_.gpus % replica != 0) {
      std::string hint = nearest_multiples(layout_.gpus, replica, there);
      if (hint.empty()) hint = "the platform has " + text(there) + " GPUs: lower tp, pp or cp";
      fault({"layout.gpus", "layout.tp", "layout.pp"},
            "gpus " + text(layout_.gpus) + " is not a multiple of " + identity, hint);
      return false;
    }
    const std::int64_t dp = layout_.gpus / replica;
    if (tree_.at("layout.dp") != nullptr && layout_.dp != dp) {
      fault({"layout.dp", "layout.gpus", "layout.tp", "layout.pp"},
            "gpus " + text(layout_.gpus) + " / (" + identity + ") makes dp " + text(dp) + ", not " +
                text(layout_.dp),
            "leave dp away, it follows; or gpus " + text(replica * layout_.dp));
      return false;
    }
    layout_.dp = dp;
    if (platform_sound && layout_.gpus > there) {
      const Platform& platform = scenario_.platform;
      fault({"layout.gpus", "layout.dp", "layout.tp", "layout.pp", "platform.nodes"},
            "gpus " + text(layout_.gpus) + " is more than the platform has: " + text(there) + " (" +
                text(platform.nodes) + (platform.nodes == 1 ? " node" : " nodes") + " of " +
                text(platform.node.gpus) + ")",
            there >= replica ? "at most " + text(there / replica * replica) + " with " + identity
                             : "one replica alone needs " + identity);
    }
    return true;
  }

  void batch() {
    if (!sound(
            {"training.global_batch", "training.micro_batch", "layout.schedule", "layout.vpp"})) {
      return;
    }
    const std::int64_t batch = training_.global_batch;
    const std::int64_t unit = training_.micro_batch * layout_.dp;
    const bool interleaved = layout_.schedule == ScheduleKind::interleaved;
    const std::int64_t whole = interleaved ? unit * layout_.pp : unit;
    if (batch % whole == 0) {
      simulable(batch / unit);
      return;
    }
    std::string message;
    if (batch % unit != 0) {
      message = "global_batch " + text(batch) + " is not a multiple of micro_batch " +
                text(training_.micro_batch) + " x dp " + text(layout_.dp) + " = " + text(unit);
    } else {
      const std::int64_t count = batch / unit;
      message = microbatches_text(count) + (count == 1 ? " is" : " are") +
                " not a multiple of pp " + text(layout_.pp) + ", which interleaved-1f1b needs";
    }
    fault({"training.global_batch", "training.micro_batch", "layout.dp", "layout.gpus", "layout.tp",
           "layout.pp"},
          message,
          nearest_multiples(batch, whole, std::int64_t{1} << 53) + ".   dp " + text(layout_.dp) +
              " comes from gpus " + text(layout_.gpus) + " / (tp " + text(layout_.tp) + " x pp " +
              text(layout_.pp) + " x cp " + text(layout_.cp) + ")");
  }

  // A step is replayed operation by operation.
  void simulable(std::int64_t microbatches) {
    constexpr std::int64_t kMost = 1'000'000;
    const std::int64_t passes = microbatches * layout_.pp * layout_.vpp;
    if (passes <= kMost) return;
    fault({"training.global_batch", "training.micro_batch", "layout.pp", "layout.vpp"},
          microbatches_text(microbatches) + " x " + text(layout_.pp * layout_.vpp) +
              " stages are more than can be simulated",
          "at most " + text(kMost) + " in all: lower global_batch or raise micro_batch");
  }

  void sharding() {
    if (!sound({"layout.zero", "layout.overlap_gradients"})) return;
    if (layout_.zero < 2 || layout_.overlap_gradients) return;
    fault({"layout.overlap_gradients", "layout.zero"},
          "zero 2 reduces gradients while the backward pass goes on: expected true");
  }

  void precision() {
    if (!sound({"training.precision", "platform.gpu.peak"})) return;
    const auto& peak = scenario_.platform.gpu.peak;
    if (peak.contains(training_.precision)) return;
    std::vector<std::string> has;
    for (const auto& [precision, rate] : peak) has.push_back(name_of(precision, precision_names()));
    fault({"training.precision", "platform.gpu.peak"},
          scenario_.platform.gpu.name + " has no rate for " +
              name_of(training_.precision, precision_names()),
          "it has " + listed(has));
  }

  void sequence() {
    if (!sound({"training.sequence_length", "model.sequence_length"})) return;
    const std::int64_t length = training_.sequence_length;
    if (length == 0) {
      if (sound({"training", "model"})) {
        fault({"training.sequence_length"},
              "\"sequence_length\" is missing, and the model has none");
      }
      return;
    }
    if (sound({"model.positions", "model.max_positions"}) &&
        model_.positions == Positions::learned && length > model_.max_positions) {
      fault({"training.sequence_length", "model.sequence_length", "model.max_positions"},
            "sequence_length " + text(length) + " is longer than the model's learned positions: " +
                "max_positions " + text(model_.max_positions));
    }
    if (sound({"layout.tp", "layout.sequence_parallel"}) && layout_.sequence_parallel &&
        length % layout_.tp != 0) {
      fault({"training.sequence_length", "layout.tp", "layout.sequence_parallel",
             "model.sequence_length"},
            "sequence_parallel splits sequence_length " + text(length) + " over tp " +
                text(layout_.tp) + ": not a multiple",
            nearest_multiples(length, layout_.tp, std::int64_t{1} << 53));
    }
  }

  const JsonValue& tree_;
  const SplitRequest& split_;
  Scenario& scenario_;
  const Model& model_;
  Layout& layout_;
  const Training& training_;
  ProblemList& problems_;
};

}  // namespace

void check_scenario(const JsonValue& tree, const SplitRequest& split, Scenario& scenario,
                    ProblemList& problems) {
  Checks(tree, split, scenario, problems).run();
}

}  // namespace flotilla::config
