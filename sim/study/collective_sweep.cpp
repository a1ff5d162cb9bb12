#include "sim/study/collective_sweep.h"

#include <algorithm>
#include <cctype>

#include "sim/config/collective_names.h"
#include "sim/config/problem.h"
#include "sim/step/lone_group.h"
#include "sim/topology/fabric.h"
#include "sim/units/text.h"

namespace flotilla::study {

namespace {

using collective::Algorithm;
using collective::Op;

[[noreturn]] void refuse(const std::string& option, const std::string& message,
                         const std::string& hint = {}) {
  config::Problem problem;
  problem.file = option;
  problem.message = message;
  problem.hint = hint;
  throw config::InvalidInput({problem});
}

// "AllReduce", "all-reduce" and "allreduce" are all_reduce.
std::string letters(std::string_view word) {
  std::string plain;
  for (const char c : word) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return plain;
}

template <class Names>
auto parse_word(const std::string& option, const std::string& word, const Names& names) {
  std::vector<std::string> known;
  std::string list;
  for (const auto& [name, meaning] : names) {
    if (letters(name) == letters(word)) return meaning;
    known.emplace_back(name);
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  const std::string near = config::nearest(word, known);
  refuse(option + " " + word, "not known here",
         (near.empty() ? "" : "did you mean \"" + near + "\"? ") + ("known: " + list));
}

void check_group(const config::Platform& platform, CollectiveRequest& request) {
  const std::int64_t most = platform.gpus();
  if (request.per_node > platform.node.gpus) {
    refuse("--per-node " + std::to_string(request.per_node),
           "a node has " + std::to_string(platform.node.gpus) + " GPUs");
  }
  if (request.ranks == 0) {
    request.ranks = request.per_node == 0 ? most : platform.nodes * request.per_node;
  }
  const std::string option = "--ranks " + std::to_string(request.ranks);
  if (request.ranks < 2) refuse(option, "a collective needs two ranks or more");
  if (request.ranks > most) {
    refuse(option, platform.name + " has " + grouped(most) + " GPUs");
  }
  if (request.per_node == 0) request.per_node = std::min(request.ranks, platform.node.gpus);
  if (request.ranks % request.per_node != 0) {
    const std::int64_t below = request.ranks / request.per_node * request.per_node;
    refuse(option, "not a multiple of " + std::to_string(request.per_node) + " ranks a node",
           "nearest: " + std::to_string(below) + ", " + std::to_string(below + request.per_node));
  }
  if (request.ranks / request.per_node > platform.nodes) {
    refuse(option, std::to_string(request.per_node) + " a node are at most " +
                       grouped(platform.nodes * request.per_node) + " ranks on " +
                       grouped(platform.nodes) + " nodes");
  }
}

std::vector<layout::Rank> members(const config::Platform& platform,
                                  const CollectiveRequest& request) {
  std::vector<layout::Rank> group;
  for (std::int64_t i = 0; i < request.ranks; ++i) {
    group.push_back(i / request.per_node * platform.node.gpus + i % request.per_node);
  }
  return group;
}

// "1KB" and "1K" and "1M", as nccl-tests and its users write sizes, besides the usual units.
std::string usual_unit(std::string text) {
  if (const std::size_t kilo = text.find("KB"); kilo != std::string::npos) text[kilo] = 'k';
  const bool short_unit =
      !text.empty() && std::string("KMGT").find(text.back()) != std::string::npos;
  return short_unit ? text + "iB" : text;
}

Bytes parse_size(const std::string& text, const std::string& whole) {
  const auto size = parse_quantity<Bytes>(usual_unit(text));
  if (!size || size->value() < 1) {
    refuse("--sizes " + whole, "\"" + text + "\" is not a size",
           "like \"1KB..8GB\", \"64 MiB\" or \"1MB,3MB\"");
  }
  return *size;
}

}  // namespace

CollectiveSweep sweep_collective(const config::Platform& platform, CollectiveRequest request) {
  check_group(platform, request);
  const topology::Fabric fabric(platform);
  CollectiveSweep sweep{platform, request, {}, {}};
  sweep.placement = step::group_placement(members(platform, request), platform, fabric);
  if (request.algorithm && !supports(request.op, *request.algorithm, sweep.placement)) {
    std::string able;
    for (const auto& [name, algorithm] : config::algorithm_names()) {
      if (!supports(request.op, algorithm, sweep.placement)) continue;
      able += (able.empty() ? "" : ", ") + std::string(name);
    }
    refuse("--algorithm " + std::string(name_of(*request.algorithm)),
           "cannot run " + std::string(name_of(request.op)) + " on this group",
           "that can: " + able);
  }
  for (const Bytes bytes : request.sizes) {
    CollectiveRow row;
    row.bytes = bytes;
    row.plan = plan(request.op, bytes, sweep.placement, platform.library, request.algorithm);
    row.algbw = bytes / row.plan.time;
    row.busbw = row.algbw * collective::bus_factor(request.op, request.ranks);
    sweep.rows.push_back(std::move(row));
  }
  return sweep;
}

std::vector<Bytes> parse_sizes(const std::string& text) {
  std::vector<Bytes> sizes;
  if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
    const Bytes last = parse_size(text.substr(dots + 2), text);
    const Bytes first = parse_size(text.substr(0, dots), text);
    if (last < first) refuse("--sizes " + text, "the range ends before it begins");
    for (Bytes size = first; size <= last; size *= 2) sizes.push_back(size);
    return sizes;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    sizes.push_back(parse_size(text.substr(begin, end - begin), text));
    begin = end + 1;
  }
  return sizes;
}

Op parse_op(const std::string& word) { return parse_word("--op", word, config::op_names()); }

Algorithm parse_algorithm(const std::string& word) {
  return parse_word("--algorithm", word, config::algorithm_names());
}

}  // namespace flotilla::study
