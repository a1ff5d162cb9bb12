#include "sim/layout/mesh.h"

namespace flotilla::layout {

Mesh::Mesh(const config::Layout& layout)
    : tp_(layout.tp), cp_(layout.cp), dp_(layout.dp), pp_(layout.pp) {
  cp_stride_ = tp_;
  const std::int64_t outer = tp_ * cp_;
  if (layout.rank_order == config::RankOrder::tp_cp_pp_dp) {
    pp_stride_ = outer;
    dp_stride_ = outer * pp_;
  } else {
    dp_stride_ = outer;
    pp_stride_ = outer * dp_;
  }
}

Rank Mesh::rank(const Coordinates& at) const {
  return at.tp * tp_stride_ + at.cp * cp_stride_ + at.dp * dp_stride_ + at.pp * pp_stride_;
}

Coordinates Mesh::coordinates(Rank rank) const {
  return {.tp = rank / tp_stride_ % tp_,
          .cp = rank / cp_stride_ % cp_,
          .dp = rank / dp_stride_ % dp_,
          .pp = rank / pp_stride_ % pp_};
}

std::vector<Rank> Mesh::tp_group(const Coordinates& of) const {
  std::vector<Rank> ranks;
  Coordinates at = of;
  for (at.tp = 0; at.tp < tp_; ++at.tp) ranks.push_back(rank(at));
  return ranks;
}

std::vector<Rank> Mesh::dp_group(const Coordinates& of) const {
  std::vector<Rank> ranks;
  Coordinates at = of;
  for (at.dp = 0; at.dp < dp_; ++at.dp) ranks.push_back(rank(at));
  return ranks;
}

std::vector<Coordinates> Mesh::tp_groups() const {
  std::vector<Coordinates> groups;
  for (Rank r = 0; r < size(); ++r) {
    if (const Coordinates at = coordinates(r); at.tp == 0) groups.push_back(at);
  }
  return groups;
}

std::vector<Coordinates> Mesh::dp_groups() const {
  std::vector<Coordinates> groups;
  for (Rank r = 0; r < size(); ++r) {
    if (const Coordinates at = coordinates(r); at.dp == 0) groups.push_back(at);
  }
  return groups;
}

}  // namespace flotilla::layout
