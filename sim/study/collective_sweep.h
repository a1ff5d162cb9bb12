// A collective on a platform over a range of sizes: the table that nccl-tests would print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/collective/collective.h"
#include "sim/config/platform.h"

namespace flotilla::study {

struct CollectiveRequest {
  collective::Op op = collective::Op::all_reduce;
  std::int64_t ranks = 0;     // 0: all GPUs of the platform
  std::int64_t per_node = 0;  // ranks of the group on each node; 0: whole nodes are filled
  std::optional<collective::Algorithm> algorithm;
  std::vector<Bytes> sizes;
};

struct CollectiveRow {
  Bytes bytes;
  collective::Plan plan;
  BytesPerSecond algbw;
  BytesPerSecond busbw;
};

struct CollectiveSweep {
  config::Platform platform;
  CollectiveRequest request;  // with the numbers filled in
  collective::Placement placement;
  std::vector<CollectiveRow> rows;
};

// Throws config::InvalidInput when the group does not fit on the platform, or the algorithm cannot
// run the operation there.
CollectiveSweep sweep_collective(const config::Platform& platform, CollectiveRequest request);

// "1KB..8GB" (doubling), "64MiB", or a list "1MB,3MB". Units as everywhere, KB is 1000 and KiB
// 1024; a bare K, M, G is nccl-tests' own, powers of 1024; a range doubles from its first size and
// ends at the last one that does not exceed its end. Throws config::InvalidInput.
std::vector<Bytes> parse_sizes(const std::string& text);

// The word's meaning; throws config::InvalidInput with the nearest known word. NCCL's spellings
// ("allreduce", "alltoall") are known too.
collective::Op parse_op(const std::string& word);
collective::Algorithm parse_algorithm(const std::string& word);

}  // namespace flotilla::study
