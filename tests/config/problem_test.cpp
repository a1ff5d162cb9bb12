#include "sim/config/problem.h"

#include "tests/catch.h"

using namespace flotilla::config;

namespace {

Problem example() {
  Problem problem;
  problem.file = "scenarios/mine.json";
  problem.line = 14;
  problem.column = 21;
  problem.length = 3;
  problem.source_line = "    \"global_batch\": 256,";
  problem.path = "training.global_batch";
  problem.message = "not a multiple of micro_batch 2 x dp 7 = 14";
  problem.hint = "nearest that work: 252, 266";
  return problem;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    widest = std::max(widest, end - begin);
    begin = end + 1;
  }
  return widest;
}

}  // namespace

TEST_CASE("a problem is shown as an editor would show it") {
  CHECK(to_text(example()) ==
        "error: scenarios/mine.json:14:21  training.global_batch\n"
        "  14 |     \"global_batch\": 256,\n"
        "     |                     ^^^ not a multiple of micro_batch 2 x dp 7 = 14\n"
        "  nearest that work: 252, 266\n");
}

TEST_CASE("a problem of the command line points at the override") {
  Problem problem = example();
  problem.file = "--set";
  problem.line = 1;
  problem.source_line = "layout.tp=3";
  problem.path = "layout.tp";
  problem.column = 11;
  problem.length = 1;
  problem.message = "does not divide heads 16";
  problem.hint = "";
  CHECK(to_text(problem) ==
        "error: --set layout.tp=3\n"
        "                       ^ does not divide heads 16\n");
}

TEST_CASE("several problems end in their number") {
  const std::string text = to_text(std::vector<Problem>{example(), example()});
  CHECK(text.ends_with("\n2 errors; nothing was run.\n"));
  CHECK(to_text(std::vector<Problem>{example()}).ends_with("\n1 error; nothing was run.\n"));
}

TEST_CASE("a problem never needs more than 100 columns") {
  Problem problem = example();
  problem.source_line = std::string(300, ' ') + "\"global_batch\": 256," + std::string(300, 'x');
  problem.column = 317;
  problem.message =
      "this message has many words " + std::string(60, 'w') + " and some more of them";
  problem.hint = problem.message + " " + problem.message;
  const std::string text = to_text(problem);
  CHECK(widest_line(text) <= 100);
  CHECK(text.find("256") != std::string::npos);
}

TEST_CASE("a source line cannot steer the terminal, and tabs keep the caret in place") {
  Problem problem = example();
  problem.source_line = "\t\x1B[31m\x07 256";
  problem.column = 9;
  const std::string text = to_text(problem);
  CHECK(text.find('\x1B') == std::string::npos);
  CHECK(text.find("  14 |  ?[31m? 256\n     |         ^^^ ") != std::string::npos);
}

TEST_CASE("nearest finds typing mistakes, longer names and abbreviations") {
  const std::vector<std::string> keys = {"gpus", "tp", "pp", "vpp", "layers", "sequence_length"};
  CHECK(nearest("tpp", keys) == "tp");
  CHECK(nearest("gups", keys) == "gpus");
  CHECK(nearest("num_layers", keys) == "layers");
  CHECK(nearest("sequence_lenght", keys) == "sequence_length");
  CHECK(nearest("pipeline_parallel", keys) == "pp");
  CHECK(nearest("tensor_model_parallel_size", keys) == "tp");
  CHECK(nearest("colour", keys).empty());
  CHECK(nearest("", keys).empty());
  CHECK(nearest("x", keys).empty());
}

TEST_CASE("nearest takes case for what it is, and is not far-fetched") {
  CHECK(nearest("BF16", {"bf16", "fp16"}) == "bf16");
  CHECK(nearest("LAYOUT", {"model", "layout"}) == "layout");
  CHECK(nearest("xy.json", {"ab.json"}).empty());
  CHECK(nearest("mime.json", {"mine.json"}) == "mine.json");
  CHECK(nearest("temperature", {"tp", "pp"}).empty());
  CHECK(nearest("ep", {"tp", "pp"}).empty());
}

TEST_CASE("what was typed is echoed, but not at any length") {
  Problem problem = example();
  problem.path = std::string(5000, 'k');
  problem.file = std::string(5000, 'f');
  problem.message = "there is no \"" + std::string(5000, 'v') + "\" here";
  const std::string text = to_text(problem);
  CHECK(text.size() < 600);
  CHECK(text.find("vvv...vvv") != std::string::npos);
  CHECK(excerpt("short") == "short");
}

TEST_CASE("characters that turn the direction of text are not printed") {
  CHECK(excerpt("a\u202Eb\u2066c\u2069d\u202Ae") == "a?b?c?d?e");
  CHECK(excerpt("\u2026\u2070") == "\u2026\u2070");
}
