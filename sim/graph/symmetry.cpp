#include "sim/graph/symmetry.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace flotilla::graph {

namespace {

using Colour = std::uint64_t;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// SplitMix64's finaliser (Steele et al. 2014): every bit of the input moves every bit of the
// output.
Colour mix(Colour x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
Colour mix(Colour a, Colour b) { return mix(a ^ mix(b)); }
Colour bits(double value) { return std::bit_cast<Colour>(value); }

// Colours of operations, links and paths. A multiset is coloured by the sum of its mixed members.
class Refinement {
 public:
  explicit Refinement(const OpGraph& graph)
      : graph_(graph),
        before_(predecessors(graph)),
        order_(topological_order(graph)),
        ops_(graph.size()),
        links_(graph.links().size()),
        paths_(graph.path_count()) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& link = graph.links()[i];
      links_[i] = mix(bits(link.capacity.value()), link.shared ? 1 : 2);
    }
  }

  // Until another round tells no more apart. The colours of operations follow from those of links,
  // so they are final once no more links are told apart.
  void run() {
    std::size_t before = 0;
    std::size_t now = distinct(links_);
    while (now != before) {
      colour_paths();
      colour_ops();
      colour_links();
      before = std::exchange(now, distinct(links_));
    }
  }

  [[nodiscard]] Colour op(OpId id) const { return ops_[at(id)]; }
  [[nodiscard]] Colour link(LinkId id) const { return links_[at(id)]; }
  // Of a flow among all flows: what it sends, over what, and on whose behalf.
  [[nodiscard]] Colour flow(OpId op, const Flow& flow) const {
    return mix(ops_[at(op)], own(flow));
  }

 private:
  [[nodiscard]] Colour own(const Flow& flow) const {
    return mix(bits(flow.bytes.value()), paths_[flow.path]);
  }

  void colour_paths() {
    for (std::uint32_t p = 0; p < paths_.size(); ++p) {
      Colour sum = 0;
      for (const LinkId link : graph_.path(p)) sum += mix(links_[at(link)]);
      paths_[p] = mix(sum);
    }
  }

  void colour_ops() {
    for (const OpId id : order_) {
      const Op& op = graph_.op(id);
      Colour earlier = 0;
      for (const OpId b : before_.of(id)) earlier += mix(ops_[at(b)]);
      Colour sent = 0;
      for (const Flow& flow : graph_.flows(op)) sent += mix(own(flow));
      ops_[at(id)] = mix(mix(bits(op.duration.value()), earlier), mix(sent, op.flow_count));
    }
  }

  void colour_links() {
    std::vector<Colour> crossed(links_.size(), 0);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const auto id = static_cast<OpId>(i);
      for (const Flow& f : graph_.flows(graph_.op(id))) {
        const Colour colour = mix(flow(id, f));
        for (const LinkId link : graph_.path(f.path)) crossed[at(link)] += colour;
      }
    }
    for (std::size_t i = 0; i < links_.size(); ++i) links_[i] = mix(links_[i], crossed[i]);
  }

  static std::size_t distinct(std::vector<Colour> colours) {
    std::sort(colours.begin(), colours.end());
    return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
  }

  const OpGraph& graph_;
  Adjacency before_;
  std::vector<OpId> order_;
  std::vector<Colour> ops_;
  std::vector<Colour> links_;
  std::vector<Colour> paths_;
};

// Numbers colours in the order in which they are met, which is the order of the smallest members.
class Numbering {
 public:
  // The number of a colour, and whether it is new.
  std::pair<std::int32_t, bool> number(Colour colour) {
    const auto [entry, added] =
        numbers_.emplace(colour, static_cast<std::int32_t>(numbers_.size()));
    return {entry->second, added};
  }
  [[nodiscard]] std::int32_t of(Colour colour) const { return numbers_.at(colour); }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<Colour, std::int32_t> numbers_;
};

class Folding {
 public:
  explicit Folding(const OpGraph& graph) : whole_(graph), colours_(graph) { colours_.run(); }

  Quotient fold() {
    number_links();
    count_crossings();
    add_links();
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      const auto id = static_cast<OpId>(i);
      const auto [number, added] = op_classes_.number(colours_.op(id));
      result_.class_of.push_back(number);
      if (added) representatives_.push_back(id);
    }
    for (const OpId id : representatives_) add_op(id);
    add_dependencies();
    return std::move(result_);
  }

 private:
  // How often the flows of one class cross the links of one class.
  struct Crossing {
    Colour flow = 0;
    LinkId link = 0;
    bool operator==(const Crossing&) const = default;
  };
  struct CrossingHash {
    std::size_t operator()(const Crossing& c) const {
      return mix(c.flow, static_cast<Colour>(c.link));
    }
  };

  void number_links() {
    for (std::size_t i = 0; i < whole_.links().size(); ++i) {
      const auto id = static_cast<LinkId>(i);
      const auto [number, added] = link_classes_.number(colours_.link(id));
      if (added) {
        link_representatives_.push_back(id);
        link_counts_.push_back(0);
      }
      link_class_.push_back(number);
      ++link_counts_[at(number)];
    }
  }

  void count_crossings() {
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      const auto id = static_cast<OpId>(i);
      for (const Flow& f : whole_.flows(whole_.op(id))) {
        const Colour flow = colours_.flow(id, f);
        for (const LinkId link : whole_.path(f.path)) {
          ++crossings_[{flow, link_class_[at(link)]}];
        }
      }
    }
    // Of one link: the classes are equitable, so the division leaves no remainder.
    for (auto& [crossing, count] : crossings_) count /= link_counts_[at(crossing.link)];
  }

  // A link that every class of flows crosses a multiple of k times is as good as a k-th of it
  // crossed a k-th as often.
  void add_links() {
    divisors_.assign(link_representatives_.size(), 0);
    for (const auto& [crossing, count] : crossings_) {
      divisors_[at(crossing.link)] = std::gcd(divisors_[at(crossing.link)], count);
    }
    for (std::size_t l = 0; l < link_representatives_.size(); ++l) {
      Link link = whole_.links()[at(link_representatives_[l])];
      divisors_[l] = link.shared ? std::max<std::int64_t>(1, divisors_[l]) : 1;
      link.capacity *= 1.0 / static_cast<double>(divisors_[l]);
      result_.graph.add_link(std::move(link));
    }
  }

  void add_op(OpId id) {
    Op op = whole_.op(id);
    std::vector<Flow> flows;
    std::vector<Colour> seen;
    for (const Flow& f : whole_.flows(op)) {
      const Colour colour = colours_.flow(id, f);
      if (std::find(seen.begin(), seen.end(), colour) != seen.end()) continue;
      seen.push_back(colour);
      flows.push_back({f.bytes, path_of(colour, f)});
    }
    op.rank = rank_numbers_.number(static_cast<Colour>(op.rank)).first;
    op.first_flow = result_.graph.add_flows(flows);
    op.flow_count = static_cast<std::uint32_t>(flows.size());
    op.profile = -1;
    op.collective = -1;
    result_.graph.add(op, {});
  }

  std::uint32_t path_of(Colour colour, const Flow& flow) {
    if (const auto known = paths_.find(colour); known != paths_.end()) return known->second;
    std::vector<LinkId> classes;
    for (const LinkId link : whole_.path(flow.path)) classes.push_back(link_class_[at(link)]);
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    std::vector<LinkId> path;
    for (const LinkId link : classes) {
      const bool shared = result_.graph.links()[at(link)].shared;
      const std::int64_t times = shared ? crossings_.at({colour, link}) / divisors_[at(link)] : 1;
      path.insert(path.end(), static_cast<std::size_t>(times), link);
    }
    return paths_[colour] = result_.graph.add_path(std::move(path));
  }

  void add_dependencies() {
    const Adjacency before = predecessors(whole_);
    for (const OpId id : representatives_) {
      const OpId later = result_.class_of[at(id)];
      std::vector<OpId> earlier;
      for (const OpId b : before.of(id)) earlier.push_back(result_.class_of[at(b)]);
      std::sort(earlier.begin(), earlier.end());
      earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
      for (const OpId e : earlier) result_.graph.add_dependency(e, later);
    }
  }

  const OpGraph& whole_;
  Refinement colours_;
  Quotient result_;
  Numbering link_classes_, op_classes_, rank_numbers_;
  std::vector<LinkId> link_class_;            // by link of the whole
  std::vector<LinkId> link_representatives_;  // by link class
  std::vector<std::int64_t> link_counts_;     // by link class: members
  std::vector<std::int64_t> divisors_;        // by link class
  std::vector<OpId> representatives_;         // by operation class
  std::unordered_map<Crossing, std::int64_t, CrossingHash> crossings_;
  std::unordered_map<Colour, std::uint32_t> paths_;
};

}  // namespace

Quotient fold_symmetry(const OpGraph& graph) { return Folding(graph).fold(); }

Timeline unfold(const Quotient& quotient, const Timeline& timeline) {
  Timeline whole;
  whole.makespan = timeline.makespan;
  whole.spans.reserve(quotient.class_of.size());
  for (const OpId op : quotient.class_of) whole.spans.push_back(timeline.at(op));
  return whole;
}

}  // namespace flotilla::graph
