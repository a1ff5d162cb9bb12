// The program as a person meets it: what it prints where, and its exit code.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/report/style.h"
#include "tests/catch.h"
#include "tests/config/scratch.h"
#include "tests/report/samples.h"
#include "tests/support/run_program.h"

namespace fs = std::filesystem;
using namespace flotilla::test;
using flotilla::report::display_width;
using nlohmann::json;

namespace {

const fs::path root = FLOTILLA_SOURCE_DIR;

// "one-card", "korthikanti/22b-full", ...
std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(root / "scenarios")) {
    if (entry.path().extension() != ".json") continue;
    names.push_back(fs::relative(entry.path(), root / "scenarios").replace_extension("").string());
  }
  std::sort(names.begin(), names.end());
  REQUIRE(names.size() > 10);
  return names;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

bool empty(const Scratch& scratch) { return fs::is_empty(scratch.folder()); }

// Lines that belong to a page: plain, and no wider than it may be.
void check_page(const std::string& page, int width) {
  CHECK(is_ascii(page));
  CHECK(page.find('\x1b') == std::string::npos);
  CHECK(page.find("-0.0") == std::string::npos);
  for (const std::string& line : lines_of(page)) {
    CAPTURE(line);
    CHECK(display_width(line) <= width);
  }
}

void check_refusal(const Outcome& outcome) {
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK_FALSE(outcome.err.empty());
}

void check_keys(const json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    CAPTURE(key);
    CHECK(object.contains(key));
  }
}

// The two examples that open the help of a command; none: of the program.
std::vector<std::string> examples_of(const std::string& command) {
  std::vector<std::string> arguments = {"--help"};
  if (!command.empty()) arguments.insert(arguments.begin(), command);
  const Outcome help = run_program(arguments);
  CHECK(help.code == 0);
  check_page(help.out, 100);
  std::vector<std::string> examples;
  for (const std::string& line : lines_of(help.out.substr(0, help.out.find("Usage:")))) {
    if (line.starts_with("  flotilla ")) examples.push_back(line);
  }
  return examples;
}

// What two runs of one input may differ in is what measures the program itself.
std::string without_measurements(const std::string& text) {
  std::string rest;
  for (const std::string& line : lines_of(text)) {
    const bool measured = line.find("\"wall_s\"") != std::string::npos ||
                          line.find("\"peak_rss_bytes\"") != std::string::npos;
    if (!measured) rest += line + "\n";
  }
  return rest;
}

}  // namespace

TEST_CASE("the version names that of SimGrid") {
  const Outcome outcome = run_program({"--version"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, contains("flotilla "));
  CHECK_THAT(outcome.out, contains("SimGrid 3."));
}

TEST_CASE("the help of each command opens with two examples that work") {
  const Scratch scratch;  // where the examples leave their traces
  fs::create_directory_symlink(root / "scenarios", fs::path(scratch.folder()) / "scenarios");
  for (const std::string command : {"", "run", "compare", "list", "topology"}) {
    CAPTURE(command);
    const std::vector<std::string> examples = examples_of(command);
    CHECK(examples.size() == 2);
    for (const std::string& example : examples) {
      CAPTURE(example);
      std::vector<std::string> arguments = words_of(example.substr(0, example.find('|')));
      arguments.erase(arguments.begin());
      const Outcome outcome = run_program({.arguments = arguments, .folder = scratch.folder()});
      CHECK(outcome.code == 0);
      CHECK_FALSE(outcome.out.empty());
    }
  }
}

TEST_CASE("every shipped scenario runs, on a plain page of at most 100 columns") {
  for (const std::string& name : scenario_names()) {
    CAPTURE(name);
    const Outcome outcome = run_program({"run", name, "--timeline"});
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, contains("MFU "));
    check_page(outcome.out, 100);
    check_page(outcome.err, 100);
  }
}

TEST_CASE("a page keeps to COLUMNS") {
  const Outcome outcome = run_program(
      {.arguments = {"run", "llama3-405b-8k-h100"}, .environment = {{"COLUMNS", "60"}}});
  CHECK(outcome.code == 0);
  check_page(outcome.out, 60);
}

TEST_CASE("list names every shipped scenario") {
  const Outcome outcome = run_program({"list"});
  CHECK(outcome.code == 0);
  check_page(outcome.out, 100);
  for (const std::string& name : scenario_names()) {
    CHECK_THAT(outcome.out, contains("\n  " + name + " "));
  }
}

TEST_CASE(
    "the option --json prints one document that has every key of the contract, and nothing else") {
  const Outcome outcome = run_program({"run", "korthikanti/22b-selective", "--json"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  const json document = json::parse(outcome.out);  // throws at anything after the document
  check_keys(document,
             {"schema", "scenario", "seed", "iteration", "collectives", "memory", "engine"});
  const json& iteration = document["iteration"];
  check_keys(iteration, {"time_s", "tokens_per_s", "tokens_per_s_per_gpu", "tflops_per_gpu", "mfu",
                         "hfu", "bubble_fraction", "breakdown_s"});
  check_keys(iteration["breakdown_s"],
             {"compute", "recompute", "tp_exposed", "cp_exposed", "ep_exposed", "pp_exposed",
              "dp_exposed", "bubble", "optimizer"});
  double sum = 0;
  for (const auto& [part, time] : iteration["breakdown_s"].items()) {
    CAPTURE(part);
    CHECK(time >= 0.0);
    sum += time.get<double>();
  }
  CHECK(sum == Approx(iteration["time_s"].get<double>()).epsilon(1e-9));
  REQUIRE_FALSE(document["collectives"].empty());
  for (const json& line : document["collectives"]) {
    check_keys(line, {"group", "op", "algorithm", "ranks", "bytes", "time_s", "algbw_Bps",
                      "busbw_Bps", "count"});
  }
  check_keys(document["memory"], {"fits", "capacity_bytes", "peak_bytes", "stages"});
  for (const json& stage : document["memory"]["stages"]) {
    check_keys(stage, {"stage", "parameters_bytes", "gradients_bytes", "optimizer_bytes",
                       "activations_bytes", "peak_bytes"});
  }
  check_keys(document["engine"],
             {"fidelity", "ranks_simulated", "operations", "wall_s", "peak_rss_bytes"});
}

TEST_CASE("the same input gives the same bytes") {
  const std::vector<std::string> command = {"run", "two-cards-8-microbatches", "--json"};
  const std::string first = run_program(command).out;
  CHECK(first.find("\"wall_s\"") != std::string::npos);
  CHECK(without_measurements(run_program(command).out) == without_measurements(first));
}

TEST_CASE("what is no command and no option is refused") {
  const std::vector<std::vector<std::string>> wrong = {{},
                                                       {"runn"},
                                                       {"--bogus"},
                                                       {"run"},
                                                       {"run", "one-card", "--bogus"},
                                                       {"run", "one-card", "two-cards-tensor"},
                                                       {"run", "one-card", "--json", "--timeline"},
                                                       {"compare", "one-card"}};
  for (const std::vector<std::string>& arguments : wrong) {
    CAPTURE(arguments);
    check_refusal(run_program(arguments));
  }
  CHECK_THAT(run_program({"runn"}).err, contains("did you mean `flotilla run`?"));
  CHECK_THAT(run_program({"scenarios/mine.json"}).err,
             contains("did you mean `flotilla run scenarios/mine.json`?"));
}

TEST_CASE("a bad scenario is refused, with nothing on standard output") {
  const Outcome outcome = run_program({"run", "one-card", "--json", "--set", "layout.tp=3"});
  check_refusal(outcome);
  CHECK_THAT(outcome.err, contains("--set layout.tp=3"));
  CHECK_THAT(outcome.err, contains("nothing was run"));
  check_page(outcome.err, 100);
  const Outcome missing = run_program({"run", "one-cart"});
  check_refusal(missing);
  CHECK_THAT(missing.err, contains("did you mean \"one-card\"?"));
}

TEST_CASE("a layout that does not fit into memory runs all the same, and says so first") {
  const Outcome outcome = run_program({"run", "one-card", "--set", "platform.gpu.memory=8 GiB"});
  CHECK(outcome.code == 0);
  const std::size_t verdict = outcome.out.find("Does not fit");
  REQUIRE(verdict != std::string::npos);
  CHECK(verdict < outcome.out.find("Step "));
  CHECK_THAT(outcome.err, contains("more GPUs are needed"));
  const Outcome tight = run_program({"run", "one-card", "--set", "platform.gpu.memory=10 GiB"});
  CAPTURE(tight.out);
  CHECK_THAT(tight.err, contains("To make it fit, try --set"));
}

TEST_CASE("a file that --set names is looked for from the current directory") {
  const Scratch scratch;
  (void)scratch.write("parts/tiny.json", R"({"name": "Tiny", "layers": 2, "hidden": 64, "heads": 2,
                                             "ffn": 256, "vocab": 100})");
  const Outcome outcome =
      run_program({.arguments = {"run", "one-card", "--set", "model=parts/tiny.json"},
                   .folder = scratch.folder()});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, contains("Tiny in bf16"));
}

TEST_CASE("a scenario on standard input runs as the file does") {
  const Outcome piped = run_program({.arguments = {"run", "-", "--json"},
                                     .input = text_of(root / "scenarios" / "one-card.json")});
  CHECK(piped.code == 0);
  CHECK(without_measurements(piped.out) ==
        without_measurements(run_program({"run", "one-card", "--json"}).out));
  check_refusal(run_program({.arguments = {"run", "-"}, .input = "{"}));
}

TEST_CASE("a trace is a JSON file with an event for every operation") {
  const Scratch scratch;
  const Outcome outcome =
      run_program({.arguments = {"run", "two-cards-8-microbatches", "--trace", "step.json"},
                   .folder = scratch.folder()});
  CHECK(outcome.code == 0);
  const json trace = json::parse(text_of(fs::path(scratch.folder()) / "step.json"));
  // 2 cards x 8 microbatches, forward and backward.
  CHECK(std::count_if(trace["traceEvents"].begin(), trace["traceEvents"].end(), [](const json& e) {
          return e["ph"] == "X" && e["args"].contains("microbatch") && e["cat"] == "compute";
        }) == 32);
}

TEST_CASE("a trace that cannot be written is a failed run that leaves nothing") {
  const Scratch scratch;
  for (const std::string& file : {scratch.folder() + "/no/such/folder.json", scratch.folder()}) {
    const Outcome outcome = run_program({"run", "one-card", "--trace", file});
    CHECK(outcome.code == 1);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, contains("cannot write " + file));
    CHECK(empty(scratch));
  }
}

TEST_CASE("a trace replaces no file that the run reads, and nothing that is printed") {
  const Scratch scratch;
  const std::string model = R"({"name": "Tiny", "layers": 2, "hidden": 64, "heads": 2,
                                "ffn": 256, "vocab": 100})";
  const std::string scenario = text_of(root / "scenarios" / "one-card.json");
  const std::string file = scratch.write("mine.json", scenario);
  const std::string parts = scratch.write("tiny.json", model);
  fs::create_symlink(file, fs::path(scratch.folder()) / "link.json");
  for (const std::string target : {"mine.json", "./mine.json", "link.json", "tiny.json"}) {
    CAPTURE(target);
    const Outcome outcome = run_program(
        {.arguments = {"run", "mine.json", "--set", "model=tiny.json", "--trace", target},
         .folder = scratch.folder()});
    check_refusal(outcome);
    CHECK_THAT(outcome.err, contains("the trace would replace it"));
  }
  CHECK(text_of(file) == scenario);
  CHECK(text_of(parts) == model);
  check_refusal(run_program({"run", "one-card", "--trace", ""}));
  const Outcome both = run_program({"run", "one-card", "--json", "--trace", "/dev/stdout"});
  check_refusal(both);
  CHECK_THAT(both.err, contains("--json and --trace would write to one place"));
}

TEST_CASE("compare sets scenarios side by side") {
  const std::vector<std::string> command = {"compare", "one-card", "two-cards-tensor"};
  const Outcome outcome = run_program(command);
  CHECK(outcome.code == 0);
  check_page(outcome.out, 100);
  CHECK_THAT(outcome.out, contains("layout.tp"));
  CHECK_THAT(outcome.out, contains("<- why"));
  const Outcome machine = run_program({"compare", "one-card", "two-cards-tensor", "--json"});
  CHECK(machine.err.empty());
  const json document = json::parse(machine.out);
  CHECK(document["rows"].size() == 2);
  CHECK(document["rows"][0]["relative"]["step"] == 1);
  CHECK(document["differences"][0]["setting"] == "layout.gpus");
}

TEST_CASE("compare tells the problems of every scenario, and runs none") {
  const Scratch scratch;
  const std::string bad = scratch.write("bad.json", legal_but("\"tp\": 4", "\"tp\": 3"));
  const std::string worse = scratch.write("worse.json", "{");
  const Outcome one = run_program({"compare", "one-card", bad});
  check_refusal(one);
  CHECK_THAT(one.err, contains("bad.json"));
  const Outcome both = run_program({"compare", bad, "one-card", worse});
  check_refusal(both);
  CHECK_THAT(both.err, contains("bad.json"));
  CHECK_THAT(both.err, contains("worse.json"));
  CHECK_THAT(both.err, contains("nothing was run"));
}

TEST_CASE("a reader that goes away is a failed run, not a crash") {
  const std::vector<std::vector<std::string>> commands = {{"run", "one-card"}, {"list"}};
  for (const std::vector<std::string>& arguments : commands) {
    const Outcome outcome = run_program({.arguments = arguments, .stdout_closed = true});
    CHECK(outcome.signal == 0);
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.err, contains("cannot write to standard output"));
  }
}
