#include "sim/config/collective_names.h"

#include <array>

namespace flotilla::config {

namespace {

using std::pair;
using std::string_view;

constexpr std::array<pair<string_view, CollectiveOp>, 6> kOps = {
    {{"all_reduce", CollectiveOp::all_reduce},
     {"all_gather", CollectiveOp::all_gather},
     {"reduce_scatter", CollectiveOp::reduce_scatter},
     {"broadcast", CollectiveOp::broadcast},
     {"all_to_all", CollectiveOp::all_to_all},
     {"send_recv", CollectiveOp::send_recv}}};

constexpr std::array<pair<string_view, CollectiveAlgorithm>, 6> kAlgorithms = {
    {{"ring", CollectiveAlgorithm::ring},
     {"tree", CollectiveAlgorithm::tree},
     {"hierarchical", CollectiveAlgorithm::hierarchical},
     {"nvls", CollectiveAlgorithm::nvls},
     {"nvls_tree", CollectiveAlgorithm::nvls_tree},
     {"pairwise", CollectiveAlgorithm::pairwise}}};

template <class Names, class Meaning>
string_view word(const Names& names, Meaning meaning) {
  for (const auto& [name, value] : names) {
    if (value == meaning) return name;
  }
  return "?";
}

}  // namespace

std::span<const pair<string_view, CollectiveOp>> op_names() { return kOps; }
std::span<const pair<string_view, CollectiveAlgorithm>> algorithm_names() { return kAlgorithms; }
string_view name_of(CollectiveOp op) { return word(kOps, op); }
string_view name_of(CollectiveAlgorithm algorithm) { return word(kAlgorithms, algorithm); }

}  // namespace flotilla::config
