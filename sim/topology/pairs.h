// Pairs of different things, numbered 0-1, 0-2, 1-2, 0-3, ...: by the higher, then by the lower.
#pragma once

#include <algorithm>
#include <cstdint>

namespace flotilla::topology {

constexpr std::int64_t pair_count(std::int64_t things) { return things * (things - 1) / 2; }

constexpr std::int64_t pair_index(std::int64_t a, std::int64_t b) {
  const std::int64_t high = std::max(a, b);
  return high * (high - 1) / 2 + std::min(a, b);
}

}  // namespace flotilla::topology
