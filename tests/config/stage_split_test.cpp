#include "sim/config/stage_split.h"

#include <numeric>

#include "tests/catch.h"
#include "tests/config/scratch.h"

using namespace flotilla::config;
using flotilla::test::contains;

namespace {

using Stages = std::vector<std::int64_t>;

std::string fault(const SplitRequest& request) {
  try {
    split_layers(request);
  } catch (const SplitFault& f) {
    return f.key + ": " + f.message + "; " + f.hint;
  }
  return "legal";
}

// Layers of one pipeline rank: its chunks are the stages chunk * pp + rank.
std::int64_t layers_of_rank(const Stages& stages, std::int64_t pp, std::int64_t rank) {
  std::int64_t sum = 0;
  for (std::size_t s = static_cast<std::size_t>(rank); s < stages.size();
       s += static_cast<std::size_t>(pp)) {
    sum += stages[s];
  }
  return sum;
}

// Empty when the stages hold every layer once and the end ranks what was asked for.
std::string flaw(const SplitRequest& request, const Stages& stages) {
  if (static_cast<std::int64_t>(stages.size()) != request.pp * request.vpp) return "stages";
  if (std::accumulate(stages.begin(), stages.end(), std::int64_t{0}) != request.layers)
    return "sum";
  if (request.first && layers_of_rank(stages, request.pp, 0) != *request.first) return "first";
  if (request.last && layers_of_rank(stages, request.pp, request.pp - 1) != *request.last) {
    return "last";
  }
  for (std::size_t s = 1; s + 1 < stages.size(); ++s) {
    if (stages[s] < 1) return "an inner stage without layers";
  }
  check_stage_layers(request, stages);
  return "";
}

// Counts the splits that are accepted; fails on a flawed one.
int check_split(const SplitRequest& request) {
  Stages stages;
  try {
    stages = split_layers(request);
  } catch (const SplitFault&) {
    return 0;
  }
  const std::string found = flaw(request, stages);
  if (!found.empty()) {
    CAPTURE(request.layers, request.pp, request.vpp, stages);
    FAIL(found);
  }
  return 1;
}

}  // namespace

// The mistake to avoid: 80 layers on 16 x 2 stages silently became a model of 64 layers elsewhere.
TEST_CASE("every layer is in exactly one stage, for every split that is accepted") {
  int legal = 0;
  for (std::int64_t layers = 1; layers <= 24; ++layers) {
    for (std::int64_t pp = 1; pp <= 8; ++pp) {
      for (std::int64_t vpp = 1; vpp <= 4; ++vpp) {
        for (std::int64_t ends = 0; ends < 11 * 11; ++ends) {
          SplitRequest request{.layers = layers, .pp = pp, .vpp = vpp};
          if (ends % 11 > 0) request.first = ends % 11 - 1;
          if (ends / 11 > 0) request.last = ends / 11 - 1;
          legal += check_split(request);
        }
      }
    }
  }
  CHECK(legal > 500);
}

TEST_CASE("Llama 3 405B: the first and the last of 16 x 8 stages are without a layer") {
  const Stages stages = split_layers({.layers = 126, .pp = 16, .vpp = 8, .first = 7, .last = 7});
  REQUIRE(stages.size() == 128);
  CHECK(stages.front() == 0);
  CHECK(stages.back() == 0);
  for (std::size_t s = 1; s < 127; ++s) CHECK(stages[s] == 1);
}

TEST_CASE("7 layers on 2 ranks split as 3 and 4 when told so") {
  CHECK(split_layers({.layers = 7, .pp = 2, .first = 3}) == Stages{3, 4});
  CHECK(split_layers({.layers = 7, .pp = 2, .last = 3}) == Stages{4, 3});
}

TEST_CASE("layers that do not split are refused with the numbers and what would work") {
  const std::string eighty = fault({.layers = 80, .pp = 16, .vpp = 2});
  CHECK_THAT(eighty, contains("layers 80 does not split evenly over pp 16 x vpp 2 = 32 stages"));
  CHECK_THAT(eighty, contains("vpp 1, 5"));
  CHECK_THAT(fault({.layers = 10, .pp = 3}), contains("pp 1, 2, 5, 10"));
  CHECK_THAT(fault({.layers = 7, .pp = 2, .first = 3, .last = 3}),
             contains("first 3 + last 3 = 6 layers; the model has 7"));
  CHECK_THAT(fault({.layers = 126, .pp = 8, .vpp = 8, .first = 7, .last = 7}),
             contains("first + last that work: 30, 78"));
  CHECK_THAT(fault({.layers = 32, .pp = 4, .vpp = 4, .first = 1, .last = 15}),
             contains("at least vpp - 1 = 3"));
  CHECK_THAT(fault({.layers = 8, .pp = 4, .first = 9}),
             contains("first 9 layers are more than the model has: 8"));
  CHECK_THAT(fault({.layers = 32, .pp = 1, .first = 16}), contains("no meaning with pp 1"));
}

TEST_CASE("a written list of stages is held to the same rules") {
  const auto complaint = [](const SplitRequest& request, const Stages& stages) {
    try {
      check_stage_layers(request, stages);
    } catch (const SplitFault& f) {
      return f.message;
    }
    return std::string("legal");
  };
  const SplitRequest request{.layers = 10, .pp = 4};
  CHECK(complaint(request, {1, 4, 4, 1}) == "legal");
  CHECK(complaint(request, {0, 5, 5, 0}) == "legal");
  CHECK_THAT(complaint(request, {2, 4, 4}), contains("3 numbers for pp 4 stages"));
  CHECK_THAT(complaint(request, {10}), contains("1 number for pp 4 stages"));
  CHECK_THAT(complaint(request, {2, 4, 4, 1}), contains("adds up to 11 layers; the model has 10"));
  CHECK_THAT(complaint(request, {4, 0, 4, 2}), contains("stage 1 has no layer"));
}
