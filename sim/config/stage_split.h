// Which layers each pipeline stage holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flotilla::config {

struct SplitRequest {
  std::int64_t layers = 0;
  std::int64_t pp = 1;
  std::int64_t vpp = 1;
  // Layers of the first and of the last pipeline rank; the other ranks share the rest evenly.
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
};

// Why a split is impossible. `key` is the layout key that is at fault.
struct SplitFault {
  std::string key;
  std::string message;
  std::string hint;
};

// Layers of the pp x vpp virtual stages, in the order in which a microbatch meets them: stage
// chunk * pp + rank is chunk `chunk` of rank `rank`. Adds up to request.layers. Only the first and
// the last stage, which hold the embedding and the head, may be without layers.
//
// A rank's layers spread evenly over its chunks. Where that leaves a remainder, the first rank is
// short in its first chunks and the last rank in its last chunks.
// Throws SplitFault.
std::vector<std::int64_t> split_layers(const SplitRequest& request);

// The same rules for a list that somebody wrote down. Throws SplitFault.
void check_stage_layers(const SplitRequest& request, const std::vector<std::int64_t>& stages);

}  // namespace flotilla::config
