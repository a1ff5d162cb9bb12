#include "sim/collective/nccl_choice.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace flotilla::collective {

namespace {

using config::LinkKind;

constexpr std::array<std::string_view, 3> kProtocols = {"ll", "ll128", "simple"};
constexpr std::size_t kLl = 0;
constexpr std::size_t kLl128 = 1;
constexpr std::size_t kSimple = 2;
using PerProtocol = std::array<double, 3>;

// Microseconds: baseLatencies and hwLatencies of tuning.cc.
constexpr PerProtocol kTreeBase = {6.8, 14.0, 8.4};
constexpr PerProtocol kRingBase = {6.6, 14.0, 8.4};
constexpr PerProtocol kTreeNvlink = {0.6, 1.25, 4.0};
constexpr PerProtocol kRingNvlink = {0.6, 1.9, 3.4};
constexpr PerProtocol kTreePcie = {1.0, 1.9, 4.0};
constexpr PerProtocol kRingPcie = {1.0, 2.5, 5.7};
constexpr PerProtocol kTreeNetwork = {5.0, 8.5, 14.0};
constexpr PerProtocol kRingNetwork = {2.7, 4.0, 14.0};
constexpr double kNvls = 25;
constexpr double kNvlsTreeNetwork = 20.9;
constexpr double kNvlsEfficiency = 0.85 * 15 / 16;  // Hopper, 16 channels
constexpr double kTreeEfficiency = 0.92;
constexpr double kLl128Fraction = 0.92;
constexpr double kLl128TreeFraction = 120.0 / 128;
constexpr double kLongRingLatency = 1.4;  // Simple rings between nodes, large messages

// treeCorrectionFactor, by log2(bytes / 64).
constexpr std::array<std::array<double, 24>, 3> kTreeCorrection = {
    {{1,   1,   1,   1,   0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5,
      0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,   1,   1,   1,   1},
     {1,   1,   1,   1,   1,   0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6,
      0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1,   1,   1},
     {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5,
      0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9, 0.9}}};

struct Machine {
  double n, nodes, k;
  BytesPerSecond ring;  // bus bandwidth
  BytesPerSecond tree;  // two nodes exchange halves over both directions
  BytesPerSecond node;
  BytesPerSecond ll_limit;
  double wire;  // microseconds that the network itself adds to NCCL's latency
  bool pcie;
};

Machine machine_of(const Placement& at, std::int64_t channels) {
  const BytesPerSecond no_limit(1e30);
  Machine m{static_cast<double>(at.ranks),
            static_cast<double>(at.nodes),
            static_cast<double>(at.ranks_per_node),
            no_limit,
            no_limit,
            no_limit,
            no_limit,
            0,
            at.node_kind == LinkKind::pcie && at.ranks_per_node > 1};
  if (at.ranks_per_node > 1) m.ring = m.tree = m.node = at.node_rate;
  const config::LinkTuning& slowest = at.nodes > 1 ? at.network_tuning : at.node_tuning;
  if (slowest.ll_limit) m.ll_limit = *slowest.ll_limit;
  if (at.nodes == 1) return m;
  const double nics = channels > 0 ? std::min(m.k, static_cast<double>(channels)) : m.k;
  m.ring = std::min(m.ring, at.network_rate * nics);
  m.tree = std::min(m.tree, at.network_rate * (at.nodes == 2 ? 2 * nics : nics));
  m.wire = at.network_hop.value() * 1e6;
  return m;
}

Seconds us(double value) { return Seconds(value * 1e-6); }

void add_rings(Op op, const Machine& m, std::vector<Estimate>& out) {
  const double rounds = op == Op::all_reduce ? 2 : 1;
  const double all = rounds * (m.n - 1);
  const double between = rounds * (m.nodes - 1);
  const PerProtocol& inside = m.pcie ? kRingPcie : kRingNvlink;
  const std::array<BytesPerSecond, 3> bus = {std::min(m.ll_limit, m.ring * 0.5),
                                             m.ring * kLl128Fraction, m.ring};
  for (std::size_t p = 0; p < kProtocols.size(); ++p) {
    if (p == kLl128 && m.pcie) continue;
    const double wire = p == kSimple ? 2 * m.wire : m.wire;  // Simple flushes
    double latency =
        kRingBase[p] + (all - between) * inside[p] + between * (kRingNetwork[p] + wire);
    if (p == kSimple && op == Op::all_reduce && m.nodes > 1) latency *= kLongRingLatency;
    out.push_back({Algorithm::ring, kProtocols[p], us(latency), bus[p] * (m.n / all)});
  }
}

void add_trees(const Machine& m, std::vector<Estimate>& out) {
  const double levels = std::floor(std::log2(m.nodes));
  const PerProtocol& inside = m.pcie ? kTreePcie : kTreeNvlink;
  const std::array<BytesPerSecond, 3> bus = {std::min(m.ll_limit, m.tree / 3.8),
                                             m.tree * kLl128TreeFraction, m.tree * kTreeEfficiency};
  for (std::size_t p = 0; p < kProtocols.size(); ++p) {
    if (p == kLl128 && m.pcie) continue;
    const double wire = p == kSimple ? 2 * m.wire : m.wire;
    const double latency =
        kTreeBase[p] + 2 * ((m.k - 1) * inside[p] + levels * (kTreeNetwork[p] + wire));
    out.push_back({Algorithm::tree, kProtocols[p], us(latency), bus[p] * 0.5});
  }
}

void add_in_switch(const Machine& m, std::vector<Estimate>& out) {
  const double per_bus = m.n / (2 * (m.n - 1));
  const BytesPerSecond inside = m.node * (2 * kNvlsEfficiency);
  if (m.nodes < 2) {
    out.push_back({Algorithm::nvls, "simple", us(kNvls), inside * per_bus});
    return;
  }
  const double levels = std::floor(std::log2(m.nodes));
  const double latency = kTreeBase[kSimple] + kNvls + 2 * levels * (kNvlsTreeNetwork + 2 * m.wire);
  out.push_back({Algorithm::nvls_tree, "simple", us(latency), std::min(inside, m.tree) * per_bus});
}

double correction(const Estimate& estimate, double bytes) {
  if (estimate.algorithm != Algorithm::tree) return 1;
  const auto index = static_cast<std::size_t>(std::log2(std::max(64.0, bytes) / 64));
  const auto protocol = static_cast<std::size_t>(
      std::find(kProtocols.begin(), kProtocols.end(), estimate.protocol) - kProtocols.begin());
  const auto& factors = kTreeCorrection[protocol];
  return index < factors.size() ? factors[index] : 1;
}

std::size_t least(const std::vector<Estimate>& estimates, double bytes) {
  const auto time = [bytes](const Estimate& e) {
    return e.latency + Bytes(bytes) / (e.bandwidth * correction(e, bytes));
  };
  const auto best =
      std::min_element(estimates.begin(), estimates.end(),
                       [&](const Estimate& a, const Estimate& b) { return time(a) < time(b); });
  return static_cast<std::size_t>(best - estimates.begin());
}

}  // namespace

std::vector<Estimate> nccl_estimates(Op op, const Placement& at, std::int64_t channels) {
  std::vector<Estimate> estimates;
  if (op == Op::broadcast || op == Op::all_to_all || op == Op::send_recv) return estimates;
  const Machine m = machine_of(at, channels);
  add_rings(op, m, estimates);
  if (op == Op::all_reduce) {
    if (at.nodes > 1) add_trees(m, estimates);
    const bool in_switch =
        at.node_tuning.in_switch && at.ranks_per_node >= at.node_tuning.in_switch->smallest_group;
    if (in_switch) add_in_switch(m, estimates);
  }
  std::stable_sort(estimates.begin(), estimates.end(), [](const Estimate& a, const Estimate& b) {
    return a.bandwidth != b.bandwidth ? a.bandwidth < b.bandwidth : a.latency > b.latency;
  });
  return estimates;
}

std::size_t nccl_pick(const std::vector<Estimate>& estimates, Bytes bytes) {
  std::size_t pick = 0;
  for (double size = 64; size <= std::max(64.0, bytes.value()); size *= 2) {
    pick = std::max(pick, least(estimates, size));
  }
  return pick;
}

}  // namespace flotilla::collective
