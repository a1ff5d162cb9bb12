#include "sim/schedule/schedule.h"

#include <algorithm>
#include <set>

#include "tests/catch.h"

using namespace flotilla::schedule;

namespace {

std::int32_t leading_forwards(const std::vector<Slot>& slots) {
  const auto first = std::find_if(slots.begin(), slots.end(),
                                  [](const Slot& s) { return s.pass == Pass::backward; });
  return static_cast<std::int32_t>(first - slots.begin());
}

void check_complete(const Schedule& s) {
  for (const auto& slots : s.ranks) {
    std::set<std::pair<int, int>> forward;
    std::set<std::pair<int, int>> backward;
    for (const Slot& slot : slots) {
      const std::pair key(slot.microbatch, slot.chunk);
      if (slot.pass == Pass::forward) {
        CHECK(forward.insert(key).second);
      } else {
        CHECK(forward.count(key) == 1);  // nothing goes backward that has not gone forward
        CHECK(backward.insert(key).second);
      }
    }
    CHECK(forward.size() == static_cast<std::size_t>(s.microbatches * s.chunks));
    CHECK(forward == backward);
  }
}

}  // namespace

TEST_CASE("every schedule runs each pass of each microbatch and chunk exactly once") {
  for (int p = 1; p <= 6; ++p) {
    for (int m = 1; m <= 9; ++m) {
      check_complete(gpipe(p, m));
      check_complete(one_f_one_b(p, m));
    }
    for (int v = 1; v <= 4; ++v) {
      for (int groups = 1; groups <= 3; ++groups) check_complete(interleaved(p, v, groups * p));
    }
  }
}

TEST_CASE("gpipe runs all forward passes first") {
  for (const auto& slots : gpipe(4, 7).ranks) CHECK(leading_forwards(slots) == 7);
}

TEST_CASE("1f1b runs min(p - rank - 1, m) forward passes ahead of the pair in turn") {
  const Schedule s = one_f_one_b(4, 8);
  for (int rank = 0; rank < 4; ++rank) {
    // The first backward follows the first forward of the steady phase.
    CHECK(leading_forwards(s.ranks[static_cast<std::size_t>(rank)]) == 4 - rank - 1 + 1);
  }
  CHECK(leading_forwards(one_f_one_b(8, 2).ranks[0]) == 2);
}

TEST_CASE("interleaved warm-up is (p - rank - 1) 2 + (v - 1) p") {
  CHECK(interleaved_warmup(8, 3, 64, 0) == 7 * 2 + 2 * 8);
  CHECK(interleaved_warmup(8, 3, 64, 7) == 2 * 8);
  CHECK(interleaved_warmup(16, 8, 16, 0) == 16 * 8);  // all passes: fewer than the formula asks
  const Schedule s = interleaved(4, 2, 8);
  for (int rank = 0; rank < 4; ++rank) {
    CHECK(leading_forwards(s.ranks[static_cast<std::size_t>(rank)]) ==
          interleaved_warmup(4, 2, 8, rank) + 1);
  }
}

TEST_CASE("interleaved takes the chunks in groups of p microbatches") {
  // Rank 0 of p = 2, v = 2: microbatches 0 1 of chunk 0, then of chunk 1, then 2 3 of chunk 0.
  const Schedule s = interleaved(2, 2, 4);
  std::vector<std::pair<int, int>> forwards;
  for (const Slot& slot : s.ranks[0]) {
    if (slot.pass == Pass::forward) forwards.emplace_back(slot.microbatch, slot.chunk);
  }
  CHECK(forwards == std::vector<std::pair<int, int>>{
                        {0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {3, 1}});
}

TEST_CASE("interleaved refuses microbatches that are not a multiple of the stages") {
  CHECK_THROWS_AS(interleaved(4, 2, 6), std::invalid_argument);
}

TEST_CASE("activations in flight: m for gpipe, min(p - rank, m) for 1f1b") {
  const std::vector<double> one{1.0};
  for (int rank = 0; rank < 4; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    CHECK(peak_in_flight(gpipe(4, 9).ranks[r], one) == 9);
    CHECK(peak_in_flight(one_f_one_b(4, 9).ranks[r], one) == 4 - rank);
  }
}

TEST_CASE(
    "interleaving keeps (1 + (p - 1) / (p v)) times the activations of 1f1b on the first rank") {
  // Korthikanti et al. 2022, section 4.2.3: p chunks' worth of L/p layers, L/(p v) each.
  const int p = 8;
  const int v = 3;
  const std::vector<double> weights(v, 1.0 / v);
  const double held = peak_in_flight(interleaved(p, v, 8 * p).ranks[0], weights);
  CHECK(held == Approx(p * (1 + double(p - 1) / (p * v))));
}
