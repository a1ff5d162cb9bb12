#include "sim/collective/names.h"

#include <array>

namespace flotilla::collective {

namespace {

using std::pair;
using std::string_view;

constexpr std::array<pair<string_view, Op>, 6> kOps = {{{"all_reduce", Op::all_reduce},
                                                        {"all_gather", Op::all_gather},
                                                        {"reduce_scatter", Op::reduce_scatter},
                                                        {"broadcast", Op::broadcast},
                                                        {"all_to_all", Op::all_to_all},
                                                        {"send_recv", Op::send_recv}}};

constexpr std::array<pair<string_view, Algorithm>, 6> kAlgorithms = {
    {{"ring", Algorithm::ring},
     {"tree", Algorithm::tree},
     {"hierarchical", Algorithm::hierarchical},
     {"nvls", Algorithm::nvls},
     {"nvls_tree", Algorithm::nvls_tree},
     {"pairwise", Algorithm::pairwise}}};

template <class Names, class Meaning>
string_view word(const Names& names, Meaning meaning) {
  for (const auto& [name, value] : names) {
    if (value == meaning) return name;
  }
  return "?";
}

}  // namespace

std::span<const pair<string_view, Op>> op_names() { return kOps; }
std::span<const pair<string_view, Algorithm>> algorithm_names() { return kAlgorithms; }
string_view name_of(Op op) { return word(kOps, op); }
string_view name_of(Algorithm algorithm) { return word(kAlgorithms, algorithm); }

}  // namespace flotilla::collective
