// Which GPU is who: the ranks of a job as a mesh of tensor, context, data and pipeline coordinates.
//
// Ranks fill the machine in order: rank r is GPU r of the platform (packed placement).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/scenario.h"

namespace flotilla::layout {

using Rank = std::int64_t;

struct Coordinates {
  std::int64_t tp = 0;
  std::int64_t cp = 0;
  std::int64_t dp = 0;
  std::int64_t pp = 0;
  bool operator==(const Coordinates&) const = default;
};

class Mesh {
 public:
  explicit Mesh(const config::Layout& layout);

  [[nodiscard]] std::int64_t size() const { return tp_ * cp_ * dp_ * pp_; }
  [[nodiscard]] Rank rank(const Coordinates& at) const;
  [[nodiscard]] Coordinates coordinates(Rank rank) const;

  // The ranks that `of` shares a group with, in ring order, itself included.
  [[nodiscard]] std::vector<Rank> tp_group(const Coordinates& of) const;
  [[nodiscard]] std::vector<Rank> dp_group(const Coordinates& of) const;

  // The coordinates of every rank with tp, cp, dp (or pp) of the group's own axis at 0: one per
  // group.
  [[nodiscard]] std::vector<Coordinates> tp_groups() const;
  [[nodiscard]] std::vector<Coordinates> dp_groups() const;

 private:
  std::int64_t tp_, cp_, dp_, pp_;
  // Distance in ranks between neighbours along each axis; it depends on layout.rank_order.
  std::int64_t tp_stride_ = 1, cp_stride_, dp_stride_, pp_stride_;
};

}  // namespace flotilla::layout
