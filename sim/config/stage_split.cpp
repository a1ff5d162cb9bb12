#include "sim/config/stage_split.h"

#include <algorithm>
#include <numeric>

#include "sim/config/reader.h"

namespace flotilla::config {

namespace {

std::string text(std::int64_t value) { return std::to_string(value); }

std::string counted(std::int64_t count, const std::string& thing) {
  return text(count) + " " + thing + (count == 1 ? "" : "s");
}

// "pp 16 x vpp 2 = 32 stages"
std::string stages_text(const SplitRequest& request) {
  if (request.vpp == 1) return "pp " + counted(request.pp, "stage");
  return "pp " + text(request.pp) + " x vpp " + text(request.vpp) + " = " +
         counted(request.pp * request.vpp, "stage");
}

// The divisors of n, smallest first.
std::vector<std::string> divisors(std::int64_t n) {
  std::vector<std::string> found;
  for (std::int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) found.push_back(text(d));
  }
  return found;
}

std::string even_hint(const SplitRequest& request) {
  std::string hint = "that work: ";
  if (request.vpp > 1 && request.layers % request.pp == 0) {
    hint +=
        "with pp " + text(request.pp) + ", vpp " + listed(divisors(request.layers / request.pp));
  } else if (request.layers % request.vpp == 0) {
    hint += "pp " + listed(divisors(request.layers / request.vpp));
    if (request.vpp > 1) hint += " with vpp " + text(request.vpp);
  } else {
    hint += "pp x vpp one of " + listed(divisors(request.layers));
  }
  return hint + "; or give first_stage_layers, last_stage_layers or stage_layers";
}

std::vector<std::int64_t> split_evenly(const SplitRequest& request) {
  const std::int64_t stages = request.pp * request.vpp;
  if (request.layers % stages != 0) {
    throw SplitFault{request.vpp > 1 && request.layers % request.pp == 0 ? "vpp" : "pp",
                     "model.layers " + text(request.layers) + " does not split evenly over " +
                         stages_text(request),
                     even_hint(request)};
  }
  return std::vector<std::int64_t>(static_cast<std::size_t>(stages), request.layers / stages);
}

// What the ends may take so that the stages between them share the rest evenly.
std::string uneven_hint(const SplitRequest& request, std::int64_t chunks) {
  std::vector<std::string> ends;
  for (std::int64_t rest = request.layers / chunks * chunks; rest > 0; rest -= chunks) {
    ends.push_back(text(request.layers - rest));
  }
  std::string hint = "stage_layers gives every stage its own number";
  if (ends.empty()) return hint;
  const bool both = request.first && request.last;
  return std::string(both            ? "first + last"
                     : request.first ? "first"
                                     : "last") +
         " that work: " + listed(ends) + "; " + hint;
}

// Layers of each middle rank, when the first or the last has its own number.
std::int64_t middle_layers(const SplitRequest& request) {
  const std::int64_t taken = request.first.value_or(0) + request.last.value_or(0);
  const std::int64_t rest = request.layers - taken;
  const std::int64_t ranks = request.pp - (request.first ? 1 : 0) - (request.last ? 1 : 0);
  const std::string key = request.first ? "first_stage_layers" : "last_stage_layers";
  std::string ends = request.first ? "first " + text(*request.first) : "";
  if (request.last) ends += (ends.empty() ? "last " : " + last ") + text(*request.last);
  if (rest < 0) {
    const bool both = request.first && request.last;
    throw SplitFault{key,
                     ends + (both ? " = " + text(taken) : "") +
                         " layers are more than the model has: " + text(request.layers),
                     ""};
  }
  if (ranks == 0) {
    if (rest == 0) return 0;
    throw SplitFault{key,
                     ends + " = " + text(taken) + " layers; the model has " + text(request.layers),
                     "with pp 2 the two must add up to model.layers"};
  }
  const std::int64_t chunks = ranks * request.vpp;
  if (rest < chunks || rest % chunks != 0) {
    throw SplitFault{key,
                     "layers " + text(request.layers) + " - " + ends +
                         " do not split evenly over " + text(ranks) + " other ranks" +
                         (request.vpp > 1 ? " x vpp " + text(request.vpp) : ""),
                     uneven_hint(request, chunks)};
  }
  return rest / ranks;
}

enum class Short { first_chunks, last_chunks };

// A rank's layers over its chunks.
std::vector<std::int64_t> over_chunks(std::int64_t layers, const SplitRequest& request,
                                      Short where) {
  const std::int64_t vpp = request.vpp;
  const std::int64_t base = layers / vpp;
  const std::int64_t extra = layers % vpp;
  // Only one chunk of an end rank, the one with the embedding or the head, may be empty.
  if (layers < vpp - 1) {
    throw SplitFault{
        where == Short::first_chunks ? "first_stage_layers" : "last_stage_layers",
        text(layers) + " layers leave more than one of the rank's " + text(vpp) + " chunks empty",
        "at least vpp - 1 = " + text(vpp - 1)};
  }
  std::vector<std::int64_t> chunks;
  for (std::int64_t c = 0; c < vpp; ++c) {
    const bool longer = where == Short::first_chunks ? c >= vpp - extra : c < extra;
    chunks.push_back(base + (longer ? 1 : 0));
  }
  return chunks;
}

}  // namespace

std::vector<std::int64_t> split_layers(const SplitRequest& request) {
  if (!request.first && !request.last) return split_evenly(request);
  const std::string key = request.first ? "first_stage_layers" : "last_stage_layers";
  if (request.pp == 1) {
    throw SplitFault{key, "has no meaning with pp 1: one rank holds all layers", ""};
  }
  const std::int64_t middle = middle_layers(request);
  const std::vector<std::int64_t> first =
      over_chunks(request.first.value_or(middle), request, Short::first_chunks);
  const std::vector<std::int64_t> last =
      over_chunks(request.last.value_or(middle), request, Short::last_chunks);
  std::vector<std::int64_t> stages;
  for (std::int64_t chunk = 0; chunk < request.vpp; ++chunk) {
    stages.push_back(first[static_cast<std::size_t>(chunk)]);
    stages.insert(stages.end(), static_cast<std::size_t>(request.pp - 2), middle / request.vpp);
    stages.push_back(last[static_cast<std::size_t>(chunk)]);
  }
  return stages;
}

void check_stage_layers(const SplitRequest& request, const std::vector<std::int64_t>& stages) {
  const auto count = static_cast<std::int64_t>(stages.size());
  if (count != request.pp * request.vpp) {
    throw SplitFault{"stage_layers", counted(count, "number") + " for " + stages_text(request),
                     "one number per stage, in the order in which a microbatch meets them"};
  }
  const std::int64_t sum = std::accumulate(stages.begin(), stages.end(), std::int64_t{0});
  if (sum != request.layers) {
    throw SplitFault{
        "stage_layers",
        "adds up to " + counted(sum, "layer") + "; the model has " + text(request.layers), ""};
  }
  for (std::size_t i = 1; i + 1 < stages.size(); ++i) {
    if (stages[i] > 0) continue;
    throw SplitFault{"stage_layers", "stage " + std::to_string(i) + " has no layer",
                     "only the first and the last stage may be empty: they hold the embedding and "
                     "the head"};
  }
}

}  // namespace flotilla::config
