#include "sim/report/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "sim/report/words.h"

namespace flotilla::report {

namespace {

using graph::Op;
using graph::OpGraph;
using graph::OpId;
using graph::Purpose;
using graph::Stream;
using graph::Timeline;

constexpr int streams = 4;
constexpr std::array<const char*, streams> stream_names = {"compute", "tensor", "pipeline", "data"};

const char* purpose_name(Purpose purpose) {
  switch (purpose) {
    case Purpose::forward:
      return "forward";
    case Purpose::backward:
      return "backward";
    case Purpose::optimizer:
      return "optimizer";
    case Purpose::tensor_exchange:
      return "tensor exchange";
    case Purpose::activation_send:
      return "send activations";
    case Purpose::gradient_send:
      return "send gradients";
    case Purpose::gradient_reduce:
      return "reduce gradients";
    case Purpose::parameter_gather:
      return "gather parameters";
    case Purpose::embedding_reduce:
      return "reduce embeddings";
    case Purpose::gradient_norm:
      return "gradient norm";
    case Purpose::other:
      return "other";
  }
  return "";
}

// Both ends of a span are rounded, not its length, so that spans that nest or touch still do.
std::int64_t nanoseconds(Seconds time) { return std::llround(time.value() * 1e9); }

std::string microseconds(std::int64_t ns) {
  const std::string digits = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + "." + std::string(3 - digits.size(), '0') + digits;
}

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_block(const Op& op) { return op.stream == Stream::compute && op.profile >= 0; }

bool is_send(const Op& op) {
  return op.purpose == Purpose::activation_send || op.purpose == Purpose::gradient_send;
}

const std::vector<graph::BlockProfile::Segment>& segments_of(const OpGraph& graph, const Op& op) {
  return graph.profiles()[static_cast<std::size_t>(op.profile)].segments;
}

// The thread of each operation within its rank: streams are 10 apart, which leaves room for the
// lanes that overlapping operations of one stream need.
class Lanes {
 public:
  Lanes(const OpGraph& graph, const Timeline& timeline) : lane_(graph.size(), 0) {
    std::vector<OpId> order(graph.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](OpId a, OpId b) { return timeline.at(a).start < timeline.at(b).start; });
    for (const OpId id : order) {
      const Op& op = graph.op(id);
      std::vector<std::int64_t>& ends = free_from_[{op.rank, op.stream}];
      const std::int64_t start = nanoseconds(timeline.at(id).start);
      const auto lane = std::find_if(ends.begin(), ends.end(),
                                     [start](std::int64_t end) { return end <= start; });
      lane_[static_cast<std::size_t>(id)] = static_cast<int>(lane - ends.begin());
      const std::int64_t end = nanoseconds(timeline.at(id).end);
      if (lane == ends.end()) {
        ends.push_back(end);
      } else {
        *lane = end;
      }
    }
  }

  static int thread(Stream stream, int lane) { return (static_cast<int>(stream) + 1) * 10 + lane; }
  [[nodiscard]] int thread_of(const OpGraph& graph, OpId id) const {
    return thread(graph.op(id).stream, lane_[static_cast<std::size_t>(id)]);
  }
  // How many lanes each stream of each rank has.
  [[nodiscard]] const auto& used() const { return free_from_; }

 private:
  std::vector<int> lane_;
  std::map<std::pair<std::int32_t, Stream>, std::vector<std::int64_t>> free_from_;
};

class TraceWriter {
 public:
  TraceWriter(const OpGraph& graph, const Timeline& timeline, const TraceOptions& options,
              std::ostream& out)
      : graph_(graph), timeline_(timeline), options_(options), lanes_(graph, timeline), out_(out) {}

  void write() {
    std::size_t kernels = 0;
    for (const Op& op : graph_.ops()) {
      if (is_block(op)) kernels += segments_of(graph_, op).size();
    }
    const bool expand = graph_.size() + kernels < options_.most_events;
    out_ << "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"simulator\":\"flotilla\",\"detail\":"
         << json_string(expand ? "kernels"
                               : "blocks only: their " + std::to_string(kernels) +
                                     " kernels would make the trace too large")
         << "},\"traceEvents\":[";
    write_names(expand);
    for (OpId id = 0; id < static_cast<OpId>(graph_.size()); ++id) {
      write_op(id);
      if (expand && is_block(graph_.op(id))) write_kernels(id);
    }
    write_arrows();
    out_ << "\n]}\n";
  }

 private:
  std::ostream& next() {
    out_ << (first_ ? "\n" : ",\n");
    first_ = false;
    return out_;
  }

  void write_metadata(const char* what, std::int32_t rank, int thread, const std::string& args) {
    next() << "{\"ph\":\"M\",\"name\":\"" << what << "\",\"pid\":" << rank << ",\"tid\":" << thread
           << ",\"args\":{" << args << "}}";
  }

  void write_thread(std::int32_t rank, Stream stream, int lane) {
    std::string name = stream_names[static_cast<std::size_t>(stream)];
    if (lane > 0) name += " " + std::to_string(lane + 1);
    const int thread = Lanes::thread(stream, lane);
    write_metadata("thread_name", rank, thread, "\"name\":" + json_string(name));
    write_metadata("thread_sort_index", rank, thread, "\"sort_index\":" + std::to_string(thread));
  }

  void write_names(bool expand) {
    std::int32_t named = -1;
    for (const auto& [key, ends] : lanes_.used()) {
      const auto [rank, stream] = key;
      if (rank != named) {
        const auto r = static_cast<std::size_t>(rank);
        const std::string name = r < options_.rank_names.size() ? options_.rank_names[r]
                                                                : "stage " + std::to_string(rank);
        write_metadata("process_name", rank, 0, "\"name\":" + json_string(name));
        write_metadata("process_sort_index", rank, 0, "\"sort_index\":" + std::to_string(rank));
        named = rank;
      }
      for (int lane = 0; lane < static_cast<int>(ends.size()); ++lane) {
        write_thread(rank, stream, lane);
      }
      // Collectives inside the blocks show on a tensor thread that no operation of its own names.
      if (expand && stream == Stream::compute && !lanes_.used().contains({rank, Stream::tensor})) {
        write_thread(rank, Stream::tensor, 0);
      }
    }
  }

  void write_span(const std::string& name, const char* category, std::int32_t rank, int thread,
                  std::int64_t start, std::int64_t end, const std::string& args) {
    next() << "{\"ph\":\"X\",\"name\":" << json_string(name) << ",\"cat\":\"" << category
           << "\",\"pid\":" << rank << ",\"tid\":" << thread << ",\"ts\":" << microseconds(start)
           << ",\"dur\":" << microseconds(end - start) << ",\"args\":{" << args << "}}";
  }

  void write_op(OpId id) {
    const Op& op = graph_.op(id);
    const graph::Span& span = timeline_.at(id);
    if (op.purpose == Purpose::gradient_norm && span.start == span.end) return;  // one rank alone
    std::string name = purpose_name(op.purpose);
    std::string args = "\"op\":" + std::to_string(id);
    if (op.microbatch >= 0) {
      name += " " + std::to_string(op.microbatch);
      args += ",\"microbatch\":" + std::to_string(op.microbatch);
      args += ",\"chunk\":" + std::to_string(op.chunk);
    }
    if (is_block(op)) {
      const auto& profile = graph_.profiles()[static_cast<std::size_t>(op.profile)];
      args += ",\"block\":" + json_string(profile.name);
    }
    Bytes bytes;
    for (const graph::Flow& flow : graph_.flows(op)) bytes += flow.bytes;
    if (op.flow_count > 0) args += ",\"bytes\":" + fixed(bytes.value(), 0);
    write_span(name, stream_names[static_cast<std::size_t>(op.stream)], op.rank,
               lanes_.thread_of(graph_, id), nanoseconds(span.start), nanoseconds(span.end), args);
  }

  void write_kernels(OpId id) {
    const Op& op = graph_.op(id);
    const graph::Span& span = timeline_.at(id);
    const std::int64_t block_end = nanoseconds(span.end);
    for (const auto& segment : segments_of(graph_, op)) {
      const std::int64_t start = std::min(nanoseconds(span.start + segment.start), block_end);
      const std::int64_t end =
          std::min(nanoseconds(span.start + segment.start + segment.duration), block_end);
      const int thread = segment.stream == Stream::compute ? lanes_.thread_of(graph_, id)
                                                           : Lanes::thread(segment.stream, 0);
      write_span(segment.name, "kernel", op.rank, thread, start, end,
                 "\"layer\":" + std::to_string(segment.layer));
    }
  }

  // Phase "s" leaves the span that encloses the time, phase "f" ends at it ("bp":"e").
  void write_arrow_end(char phase, std::size_t arrow, OpId at) {
    next() << "{\"ph\":\"" << phase
           << "\",\"bp\":\"e\",\"name\":\"hand-over\",\"cat\":\"hand-over\""
           << ",\"id\":" << arrow << ",\"pid\":" << graph_.op(at).rank
           << ",\"tid\":" << lanes_.thread_of(graph_, at)
           << ",\"ts\":" << microseconds(nanoseconds(timeline_.at(at).start)) << "}";
  }

  void write_arrows() {
    std::size_t arrow = 0;
    for (const auto& [earlier, later] : graph_.dependencies()) {
      const bool hand_over = is_send(graph_.op(earlier)) && is_block(graph_.op(later)) &&
                             graph_.op(earlier).rank != graph_.op(later).rank;
      if (!hand_over) continue;
      write_arrow_end('s', ++arrow, earlier);
      write_arrow_end('f', arrow, later);
    }
  }

  const OpGraph& graph_;
  const Timeline& timeline_;
  const TraceOptions& options_;
  Lanes lanes_;
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

void write_trace(const graph::OpGraph& graph, const graph::Timeline& timeline,
                 const TraceOptions& options, std::ostream& out) {
  TraceWriter(graph, timeline, options, out).write();
}

}  // namespace flotilla::report
