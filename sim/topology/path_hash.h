// Which of several equal paths a flow takes.
#pragma once

#include <cstdint>

namespace flotilla::topology {

// A number in [0, choices) that depends on nothing but its arguments: the same on every machine and
// in every run. `level` tells the decisions along one path apart. (Mixing: splitmix64.)
inline std::int64_t choose_path(std::int64_t from, std::int64_t to, std::int64_t level,
                                std::int64_t choices) {
  if (choices <= 1) return 0;
  auto mixed = [](std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  };
  const std::uint64_t x =
      mixed(mixed(mixed(static_cast<std::uint64_t>(from)) ^ static_cast<std::uint64_t>(to)) ^
            static_cast<std::uint64_t>(level));
  return static_cast<std::int64_t>(x % static_cast<std::uint64_t>(choices));
}

}  // namespace flotilla::topology
