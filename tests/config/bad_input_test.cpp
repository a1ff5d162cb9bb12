// Each kind of bad input, and what a person reads about it.
#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla::test;

TEST_CASE("the legal scenario of these tests is legal") {
  const auto scenario = load_text(legal_scenario());
  CHECK(scenario.layout.dp == 2);
  CHECK(scenario.microbatches() == 8);
  CHECK(scenario.model.head_dim == 64);
  CHECK(scenario.layout.stage_layers == std::vector<std::int64_t>{12, 12});
  CHECK(scenario.name == "mine");
}

TEST_CASE("a missing file is refused, and a near name offered") {
  const Scratch scratch;
  (void)scratch.write("mine.json", legal_scenario());
  const std::string text = refusal_of_file(scratch.folder() + "/mime.json");
  CHECK_THAT(text, contains("no such file"));
  CHECK_THAT(text, contains("did you mean \"" + scratch.folder() + "/mine.json\"?"));
  CHECK_THAT(refusal_of_file(scratch.folder() + "/mine"), contains("/mine.json\"?"));
  CHECK_THAT(refusal_of_file("/nowhere/mine.json"), contains("no folder \"/nowhere\""));
  CHECK_THAT(refusal_of_file("two-cards"), contains("did you mean \"two-cards-"));
  CHECK_THAT(refusal_of_file("gpt3-175b"), contains("\"gpt3-175b\" is a model, which a scenario"));
  CHECK_THAT(refusal_of_file(""), contains("not a file name"));
}

TEST_CASE("a directory and a file that is too large are refused") {
  const Scratch scratch;
  CHECK_THAT(refusal_of_file(scratch.folder()), contains("this is a directory"));
  const std::string large = scratch.write("large.json", std::string(2'000'000, ' '));
  CHECK_THAT(refusal_of_file(large), contains("larger than 1 MiB"));
}

TEST_CASE("a model that is not there is refused where it is named") {
  const std::string bare = refusal(legal_scenario(), {"model=llama3-405b"});
  CHECK_THAT(bare, contains("error: --set model=llama3-405b\n"));
  CHECK_THAT(bare, contains("did you mean \"llama3.1-405b\"?"));
  CHECK_THAT(bare, contains("shipped: gpt3-175b"));
  const std::string path = refusal(legal_but("\"nvlink3\"", "\"links/mine.json\""));
  CHECK_THAT(path, contains("mine.json:16:56  platform.node.link"));
  CHECK_THAT(path, contains("no such file"));
}

TEST_CASE("a bare name that means the file beside the scenario is explained") {
  const Scratch scratch;
  (void)scratch.write("small.json", "{}");
  const std::string file = scratch.write("mine.json", R"({"model": "small"})");
  CHECK_THAT(refusal_of_file(file), contains("for the file beside this one write \"small.json\""));
}

TEST_CASE("a mistake in a referenced file is shown in that file, beside those of the scenario") {
  const Scratch scratch;
  (void)scratch.write("models/m.json", "{\n  \"layers\": 4,\n  \"hiden\": 64\n}");
  const std::string file = scratch.write("s/mine.json", R"({
  "model": "../models/m.json", "platform": "dgx-a100-superpod",
  "layout": { "gpus": 8.5 }, "training": { "global_batch": 8 }
})");
  const std::string text = refusal_of_file(file);
  CHECK_THAT(text, contains("models/m.json:3:3  model.hiden"));
  CHECK_THAT(text, contains("did you mean \"hidden\"?"));
  CHECK_THAT(text, contains("missing here: \"hidden\", \"heads\", \"ffn\", \"vocab\""));
  CHECK_THAT(text, contains("mine.json:3:23  layout.gpus"));
  CHECK_THAT(text, contains("expected a whole number, found 8.5"));
  CHECK_THAT(text, contains("3 errors; nothing was run."));
}

TEST_CASE("malformed JSON in a referenced file points into it") {
  const Scratch scratch;
  (void)scratch.write("m.json", "{\n  \"layers\": 4,,\n}");
  const std::string text = refusal(legal_scenario(), {"model=" + scratch.folder() + "/m.json"});
  CHECK_THAT(text, contains("m.json:2:15"));
  CHECK_THAT(text, contains("1 error;"));
}

TEST_CASE("a wrong type is refused with what was found and what is expected") {
  CHECK_THAT(refusal(legal_but("\"tp\": 4", "\"tp\": \"4\"")),
             contains("write it without the quotes: 4"));
  CHECK_THAT(refusal(legal_but("\"tp\": 4", "\"tp\": [4]")),
             contains("expected a whole number, found a list"));
  CHECK_THAT(refusal(legal_but("\"biases\": false", "\"biases\": 0")),
             contains("expected true or false, found the number 0"));
  CHECK_THAT(refusal(legal_but("\"nodes\": 4,", "\"nodes\": null,")), contains("found null"));
  CHECK_THAT(refusal(legal_but("\"swiglu\"", "3")), contains("expected one of \"gelu\""));
  CHECK_THAT(refusal(legal_but("0.8,", "1.5,")), contains("a share is from 0.0001 to 1"));
  CHECK_THAT(refusal(legal_but("{ \"gpus\": 16, \"tp\": 4, \"pp\": 2 }", "7")),
             contains("expected an object { ... }, found the number 7"));
}

TEST_CASE("8 and 8.0 are whole numbers") {
  CHECK(load_text(legal_but("\"tp\": 4", "\"tp\": 4.0")).layout.tp == 4);
}

TEST_CASE("an unknown choice is refused with the known ones and the nearest") {
  const std::string text = refusal(legal_but("\"swiglu\"", "\"swiglue\""));
  CHECK_THAT(text, contains("expected one of \"gelu\", \"relu\", \"swiglu\", \"geglu\""));
  CHECK_THAT(text, contains("did you mean \"swiglu\"?"));
}

TEST_CASE("a missing or wrong unit is refused with an example and the accepted ones") {
  for (const std::string value : {"80", "\"80\"", "\"80.5e9\""}) {
    CAPTURE(value);
    const std::string text = refusal(legal_but("\"80 GB\"", value));
    CHECK_THAT(text, contains("platform.gpu.memory"));
    CHECK_THAT(text, contains("missing unit: expected a size"));
    CHECK_THAT(text, contains("GiB"));
  }
  CHECK_THAT(refusal(legal_but("\"80 GB\"", "\"80 s\"")),
             contains("this is a time, expected a size"));
  CHECK_THAT(refusal(legal_but("\"2 TB/s\"", "\"2 TB\"")),
             contains("this is a size, expected a bandwidth"));
  CHECK_THAT(refusal(legal_but("\"80 GB\"", "\"80 GX\"")), contains("a finite number and a unit"));
}

TEST_CASE("negative, zero and endless sizes are refused") {
  CHECK_THAT(refusal(legal_but("\"80 GB\"", "\"-80 GB\"")), contains("must be more than zero"));
  CHECK_THAT(refusal(legal_but("\"80 GB\"", "\"0 GB\"")), contains("must be more than zero"));
  CHECK_THAT(refusal(legal_but("\"80 GB\"", "\"nan GB\"")), contains("a finite number"));
  CHECK_THAT(refusal(legal_but("\"80 GB\"", "\"inf GB\"")), contains("a finite number"));
  CHECK_THAT(refusal(legal_but("\"80 GB\"", "\"1e30 GB\"")), contains("larger than any machine"));
  CHECK_THAT(refusal(legal_but("\"1 us\"", "\"-1 us\"")), contains("must not be negative"));
  CHECK_THAT(refusal(legal_but("\"hidden\": 1024", "\"hidden\": 0")), contains("at least 1"));
  CHECK_THAT(refusal(legal_but("\"heads\": 16", "\"heads\": -16")), contains("at least 1"));
  CHECK_THAT(refusal(legal_but("\"hidden\": 1024", "\"hidden\": NaN")),
             contains("NaN is not a number that can be used here"));
  CHECK_THAT(refusal(legal_but("\"hidden\": 1024", "\"hidden\": 1e300")), contains("too large"));
}

TEST_CASE("what no machine has, and what would make a step endless, is refused") {
  CHECK_THAT(refusal(legal_but("\"2 TB/s\"", "\"1e-9 B/s\"")), contains("at least 1.00 kB/s"));
  CHECK_THAT(refusal(legal_but("\"300 TFLOP/s\"", "\"1 FLOP/s\"")),
             contains("at least 1.00 kFLOP/s"));
  CHECK_THAT(refusal(legal_but("\"80 GB\"", "\"1 kB\"")), contains("at least 1.00 MB"));
  CHECK_THAT(refusal(legal_but("\"5 us\"", "\"2 d\"")), contains("too long: at most 60"));
  CHECK_THAT(refusal(legal_but("\"1 us\"", "\"2 h\"")), contains("too long"));
  CHECK_THAT(refusal(legal_but("0.8,", "1e-9,")), contains("a share is from 0.0001 to 1"));
}

TEST_CASE("an unknown key is refused with the nearest and the known ones") {
  const std::string text = refusal(legal_but("\"tp\": 4", "\"tpp\": 4"));
  CHECK_THAT(text, contains("layout.tpp"));
  CHECK_THAT(text, contains("unknown key; did you mean \"tp\"?"));
  CHECK_THAT(text, contains("known here: gpus, tp, pp, vpp"));
  CHECK_THAT(refusal(legal_but("\"micro_batch\": 2", "\"recompute\": \"full\"")),
             contains("unknown key here; it belongs to \"layout\""));
}

TEST_CASE("a model file in the place of a platform is recognised") {
  const std::string models = std::string(FLOTILLA_SOURCE_DIR) + "/models/";
  const std::string text = refusal(legal_scenario(), {"platform=" + models + "llama3.1-8b.json"});
  CHECK_THAT(text, contains("describes a model; expected a platform"));
  CHECK_THAT(text, contains("1 error;"));
  CHECK_THAT(refusal_of_file(models + "llama3.1-8b.json"),
             contains("this describes a model; expected a scenario"));
  const Scratch scratch;
  const std::string scenario = scratch.write("s.json", legal_scenario());
  CHECK_THAT(refusal(legal_scenario(), {"model=" + scenario}),
             contains("describes a scenario; expected a model"));
  const std::string hf = scratch.write("config.json", R"({"hidden_size": 64})");
  CHECK_THAT(refusal(legal_scenario(), {"model=" + hf}), contains("Hugging Face config.json"));
  CHECK_THAT(refusal("[1, 2]"), contains("expected a scenario, an object"));
}

TEST_CASE("missing keys are named together") {
  CHECK_THAT(refusal("{}"), contains("\"model\", \"platform\", \"layout\", \"training\""));
  CHECK_THAT(refusal(legal_but("\"gpus\": 16, ", "")), contains("missing here: \"gpus\""));
}

TEST_CASE("several errors are told at once, in the order of the file") {
  std::string text = legal_but("\"hidden\": 1024", "\"hidden\": -1");
  text.replace(text.find("\"80 GB\""), 7, "80");
  text.replace(text.find("\"pp\": 2"), 7, "\"pp\": 0");
  text.replace(text.find("\"micro_batch\": 2"), 16, "\"micro_batc\": 2");
  const std::string said = refusal(text);
  CHECK_THAT(said, contains("4 errors; nothing was run."));
  CHECK(said.find("model.hidden") < said.find("platform.gpu.memory"));
  CHECK(said.find("platform.gpu.memory") < said.find("layout.pp"));
  CHECK(said.find("layout.pp") < said.find("training.micro_batc"));
}

TEST_CASE("what this version does not simulate is refused by name") {
  const auto layout = [](const std::string& keys) {
    return refusal(legal_but("\"tp\": 4", "\"tp\": 4, " + keys));
  };
  CHECK_THAT(layout("\"cp\": 2"), contains("context parallelism is not simulated"));
  CHECK_THAT(layout("\"ep\": 8"), contains("expert parallelism is not simulated"));
  CHECK_THAT(layout("\"zero\": 3"), contains("ZeRO stage 3 is not simulated"));
  CHECK_THAT(layout("\"zero\": 4"), contains("at most 3"));
  CHECK_THAT(refusal(legal_but("\"layout\"", "\"reliability\": {}, \"layout\"")),
             contains("failures and checkpoints are not simulated by this version"));
  CHECK_NOTHROW(load_text(legal_but("\"tp\": 4", "\"tp\": 4, \"cp\": 1, \"ep\": 1, \"etp\": 1")));
}

TEST_CASE("a machine that cannot be built is refused") {
  CHECK_THAT(refusal(legal_scenario(), {"platform.node.nics=3"}), contains("share 3 NICs evenly"));
  CHECK_THAT(refusal(legal_scenario(), {"platform.node.nics=0"}), contains("4 nodes cannot talk"));
  CHECK_THAT(refusal(legal_scenario(), {"platform.node.nic=nvlink3"}),
             contains("kind \"network\""));
  CHECK_THAT(refusal(legal_scenario(), {R"(platform.tiers=[{"nodes": 2}, {"nodes": 3}])"}),
             contains("expected a multiple of 2"));
  CHECK_THAT(refusal(legal_scenario(), {"platform.nodes=100000", "platform.node.gpus=1000",
                                        "platform.node.nics=1000"}),
             contains("more than can be simulated"));
  CHECK_THAT(refusal(legal_scenario(), {"platform.gpu.gemm.efficiency=0"}), contains("share"));
  CHECK_THAT(refusal(legal_scenario(), {"platform.gpu.multiprocessors=20"}),
             contains("a collective over nvlink occupies 24 of them"));
  CHECK_NOTHROW(load_text(legal_scenario(),
                          {"platform.gpu.multiprocessors=20", "platform.nodes=1",
                           "platform.node.gpus=1", "layout.gpus=1", "layout.tp=1", "layout.pp=1"}));
  CHECK_THAT(refusal(legal_scenario(),
                     {R"(platform.gpu.peak={"fp32": "20 TFLOP/s"})", "training.precision=fp32"}),
             contains("expected a rate for bf16 or fp16"));
}
