#include "sim/report/trace.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "tests/catch.h"
#include "tests/report/samples.h"

namespace flotilla::report {
namespace {

using nlohmann::json;

json trace_of(const test::HandMadeStep& step, const TraceOptions& options = {}) {
  std::ostringstream out;
  write_trace(step.graph, step.timeline, options, out);
  return json::parse(out.str());
}

std::pair<int, int> thread_of(const json& event) {
  return {event["pid"].get<int>(), event["tid"].get<int>()};
}

TEST_CASE("a trace names its processes and threads, and every span is on one of them") {
  const json trace = trace_of(test::pipeline(2, 3), {.rank_names = {"card \"A\"", "card B"}});
  std::map<int, std::string> processes;
  std::set<std::pair<int, int>> threads;
  for (const auto& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
    if (event["name"] == "thread_name") threads.insert(thread_of(event));
  }
  CHECK(processes == std::map<int, std::string>{{0, "card \"A\""}, {1, "card B"}});
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    CHECK(event["dur"].get<double>() >= 0);
    CHECK(threads.contains(thread_of(event)));
  }
}

TEST_CASE(
    "times are microseconds: the optimizer of two stages and one microbatch runs from 6 to 7 s") {
  const json trace = trace_of(test::pipeline(2, 1));
  for (const auto& event : trace["traceEvents"]) {
    if (event["name"] != "optimizer") continue;
    CHECK(event["ts"].get<double>() == Approx(6e6));
    CHECK(event["dur"].get<double>() == Approx(1e6));
  }
}

TEST_CASE("the spans of a thread nest or follow one another") {
  const json trace = trace_of(test::pipeline(3, 5));
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> open;
  std::vector<json> spans;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] == "X") spans.push_back(event);
  }
  std::stable_sort(spans.begin(), spans.end(), [](const json& a, const json& b) {
    return std::tuple(a["ts"].get<double>(), -a["dur"].get<double>()) <
           std::tuple(b["ts"].get<double>(), -b["dur"].get<double>());
  });
  constexpr double tick = 1e-3;  // a nanosecond in microseconds
  for (const json& span : spans) {
    auto& stack = open[thread_of(span)];
    const double start = span["ts"], end = start + span["dur"].get<double>();
    while (!stack.empty() && stack.back().second <= start + tick / 2) stack.pop_back();
    if (!stack.empty()) CHECK(end <= stack.back().second + tick / 2);
    stack.emplace_back(start, end);
  }
}

TEST_CASE("overlapping transfers of one stream are on threads of their own") {
  test::HandMadeStep step;
  const graph::Op send{.purpose = graph::Purpose::activation_send,
                       .stream = graph::Stream::pipeline};
  step.add(send, 0, 2);
  step.add(send, 1, 3);
  step.add(send, 2, 4);
  std::vector<int> threads;
  const json trace = trace_of(step);
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] == "X") threads.push_back(event["tid"]);
  }
  REQUIRE(threads.size() == 3);
  CHECK(threads[0] != threads[1]);
  CHECK(threads[0] == threads[2]);
}

TEST_CASE("kernels are written while the trace is small, and their absence is told") {
  const test::HandMadeStep step = test::pipeline(2, 4);
  const auto kernels = [](const json& trace) {
    int count = 0;
    for (const auto& event : trace["traceEvents"]) count += event.value("cat", "") == "kernel";
    return count;
  };
  const json full = trace_of(step);
  CHECK(kernels(full) == 2 * 4 * 2 * 3);  // stages x microbatches x directions x segments
  CHECK(full["otherData"]["detail"] == "kernels");
  const json small = trace_of(step, {.rank_names = {}, .most_events = 60});
  CHECK(kernels(small) == 0);
  CHECK_THAT(small["otherData"]["detail"].get<std::string>(), test::contains("48 kernels"));
}

TEST_CASE("an arrow leads from every hand-over to the block that waits for it") {
  const json trace = trace_of(test::pipeline(2, 4));
  std::multiset<std::string> phases;
  for (const auto& event : trace["traceEvents"]) phases.insert(event["ph"].get<std::string>());
  CHECK(phases.count("s") == 8);  // four microbatches, forward and backward
  CHECK(phases.count("f") == 8);
}

}  // namespace
}  // namespace flotilla::report
