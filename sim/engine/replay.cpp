#include "sim/engine/replay.h"

#include <cmath>
#include <csignal>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <stdexcept>
#include <string>

#include "sim/engine/engine.h"
#include "sim/engine/simgrid.h"

namespace flotilla::engine {

namespace {

namespace s4u = simgrid::s4u;
using SimLink = simgrid::kernel::resource::StandardLinkImpl;
using SimPath = std::vector<SimLink*>;

// A zone whose answer to "which links?" is the path of the flow that is being started. SimGrid asks
// once per communication, at its start, so the endpoints do not matter and no route is stored.
class PathZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  explicit PathZone(const std::string& name) : NetZoneImpl(name) {}

  const SimPath* next_path = nullptr;

  void get_local_route(const simgrid::kernel::routing::NetPoint*,
                       const simgrid::kernel::routing::NetPoint*,
                       simgrid::kernel::routing::Route* route, double*) override {
    route->link_list_ = *next_path;
  }
  void get_graph(const s_xbt_graph_t*, std::map<std::string, xbt_node_t, std::less<>>*,
                 std::map<std::string, xbt_edge_t, std::less<>>*) override {}
};

void configure_simgrid() {
  xbt_log_control_set("xbt_cfg.threshold:warning");
  // Max-min sharing of bandwidth and nothing else: no TCP window, no reverse traffic, no latency.
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:0");
  s4u::Engine::set_config("network/TCP-gamma:1e30");
}

class Replay {
 public:
  explicit Replay(const graph::OpGraph& graph)
      : graph_(graph),
        successors_(graph::successors(graph)),
        unmet_(graph.size(), 0),
        unfinished_(graph.size(), 0),
        spans_(graph.size()) {
    for (graph::OpId target : successors_.targets) ++unmet_[index(target)];
    build_platform();
  }

  std::vector<graph::Span> run(s4u::Engine& engine) {
    s4u::Activity::on_completion_cb([this](const s4u::Activity& a) { on_completion(a); });
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (unmet_[i] == 0) ready_.push(static_cast<graph::OpId>(i));
    }
    launch_ready();
    engine.run();
    if (finished_ != graph_.size()) {
      throw std::runtime_error("the simulation stopped after " + std::to_string(finished_) +
                               " of " + std::to_string(graph_.size()) + " operations");
    }
    return std::move(spans_);
  }

 private:
  // An activity in flight. SimGrid keeps raw pointers only, so we hold it; its slot number travels
  // as the activity's user data.
  struct Live {
    s4u::ActivityPtr activity;
    graph::OpId op = graph::no_op;
    bool is_latency = false;
  };

  static std::size_t index(graph::OpId id) { return static_cast<std::size_t>(id); }

  void build_platform() {
    zone_ = new PathZone("fabric");  // owned by SimGrid
    s4u::NetZone* zone = zone_->get_iface();
    std::int32_t ranks = 2;  // a flow runs between two hosts
    for (const graph::Op& op : graph_.ops()) ranks = std::max(ranks, op.rank + 1);
    for (std::int32_t r = 0; r < ranks; ++r) {
      // Many cores: the op graph already keeps each stream in order, and streams of one rank must
      // not slow one another. A core works at speed 1, so one "flop" is one second.
      hosts_.push_back(
          zone->create_host("rank-" + std::to_string(r), 1.0)->set_core_count(1024)->seal());
    }
    std::vector<SimLink*> links;
    for (std::size_t i = 0; i < graph_.links().size(); ++i) {
      const graph::Link& link = graph_.links()[i];
      s4u::Link* made = zone->create_link("link-" + std::to_string(i), link.capacity.value());
      if (!link.shared) made->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
      links.push_back(static_cast<SimLink*>(made->seal()->get_impl()));
    }
    paths_.resize(graph_.path_count());
    for (std::uint32_t p = 0; p < paths_.size(); ++p) {
      for (graph::LinkId link : graph_.path(p)) paths_[p].push_back(links[index(link)]);
    }
    zone->seal();
  }

  void launch_ready() {
    while (!ready_.empty()) {
      const graph::OpId id = ready_.top();
      ready_.pop();
      launch(id);
    }
  }

  void launch(graph::OpId id) {
    const graph::Op& op = graph_.op(id);
    spans_[index(id)].start = Seconds(s4u::Engine::get_clock());
    if (op.duration > Seconds(0)) {
      start_span(id, op.flow_count > 0);
    } else {
      start_flows(id);
    }
  }

  void start_span(graph::OpId id, bool is_latency) {
    const graph::Op& op = graph_.op(id);
    auto exec = s4u::Exec::init();
    exec->set_flops_amount(op.duration.value());
    exec->set_host(hosts_[index(op.rank)]);
    start(exec, id, is_latency);
  }

  void start_flows(graph::OpId id) {
    const graph::Op& op = graph_.op(id);
    std::int32_t started = 0;
    for (const graph::Flow& flow : graph_.flows(op)) {
      // SimGrid counts whole bytes; less than one is no transfer.
      const auto bytes = static_cast<std::uint64_t>(std::llround(flow.bytes.value()));
      if (bytes == 0 || paths_[flow.path].empty()) continue;
      ++started;
      zone_->next_path = &paths_[flow.path];
      auto comm = s4u::Comm::sendto_init(hosts_[0], hosts_[1]);
      comm->set_payload_size(bytes);
      start(comm, id, false);
    }
    unfinished_[index(id)] = started;
    if (started == 0) finish(id);
  }

  void start(const s4u::ActivityPtr& activity, graph::OpId id, bool is_latency) {
    std::size_t slot = live_.size();
    if (free_.empty()) {
      live_.emplace_back();
    } else {
      slot = free_.back();
      free_.pop_back();
    }
    live_[slot] = {activity, id, is_latency};
    activity->set_data(reinterpret_cast<void*>(slot));
    activity->vetoable_start();
  }

  void on_completion(const s4u::Activity& activity) {
    // The one that ended before this one may go now; this one is still in use by SimGrid.
    ended_.reset();
    const auto slot = reinterpret_cast<std::size_t>(activity.get_data<void>());
    ended_.swap(live_[slot].activity);
    const graph::OpId id = live_[slot].op;
    const bool is_latency = live_[slot].is_latency;
    free_.push_back(slot);
    if (is_latency) {
      start_flows(id);
    } else if (--unfinished_[index(id)] <= 0) {
      finish(id);
    }
    launch_ready();
  }

  void finish(graph::OpId id) {
    spans_[index(id)].end = Seconds(s4u::Engine::get_clock());
    ++finished_;
    for (graph::OpId next : successors_.of(id)) {
      if (--unmet_[index(next)] == 0) ready_.push(next);
    }
  }

  const graph::OpGraph& graph_;
  graph::Adjacency successors_;
  std::vector<std::uint32_t> unmet_;
  std::vector<std::int32_t> unfinished_;  // flows of an operation still in flight
  std::vector<graph::Span> spans_;
  std::size_t finished_ = 0;
  // Operations that become ready at one date start in the order of their ids.
  std::priority_queue<graph::OpId, std::vector<graph::OpId>, std::greater<>> ready_;

  PathZone* zone_ = nullptr;
  std::vector<s4u::Host*> hosts_;
  std::vector<SimPath> paths_;
  std::vector<Live> live_;
  std::vector<std::size_t> free_;
  s4u::ActivityPtr ended_;
};

}  // namespace

std::vector<graph::Span> replay(const graph::OpGraph& graph) {
  s4u::Engine engine("flotilla");
  // SimGrid answers Ctrl-C with a report on its own state.
  std::signal(SIGINT, SIG_DFL);
  configure_simgrid();
  return Replay(graph).run(engine);
}

const char* simgrid_version() {
  static const std::string text =
      std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR);
  return text.c_str();
}

}  // namespace flotilla::engine
