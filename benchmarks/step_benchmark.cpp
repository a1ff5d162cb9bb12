// How fast the simulator is. Build with -DFLOTILLA_BENCHMARKS=ON and run build/flotilla_benchmarks;
// CPU time is the figure to quote. The engine runs in a forked child, so each benchmark measures
// the children's CPU time together with its own.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <array>
#include <string>

#include "sim/config/load.h"
#include "sim/engine/engine.h"
#include "sim/graph/op_graph.h"
#include "sim/step/simulate.h"

namespace {

using namespace flotilla;

double cpu_seconds() {
  double total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& t : {usage.ru_utime, usage.ru_stime}) {
      total += static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    }
  }
  return total;
}

config::Scenario scenario(const std::string& name) {
  return config::load_scenario(name, {.overrides = {}, .library_root = FLOTILLA_SOURCE_DIR});
}

// From the file to the summary, as `flotilla run` does it.
void whole_run(benchmark::State& state, const std::string& name) {
  double operations = 0;
  double peak = 0;
  for (auto _ : state) {
    const double begun = cpu_seconds();
    const auto summary = step::simulate(scenario(name)).summary;
    state.SetIterationTime(cpu_seconds() - begun);
    operations = static_cast<double>(summary.engine.operations);
    peak = summary.engine.peak_rss_bytes;
  }
  state.counters["operations"] = operations;
  state.counters["peak_MB"] = peak / 1e6;
}
BENCHMARK_CAPTURE(whole_run, llama3_405b_16k, "llama3-405b-16k-h100")->UseManualTime();
BENCHMARK_CAPTURE(whole_run, korthikanti_530b, "korthikanti/530b-full")->UseManualTime();
BENCHMARK_CAPTURE(whole_run, korthikanti_1t, "korthikanti/1t-full")->UseManualTime();

// Every rank computes and sends to its neighbour in turn, over ports that two flows share; no two
// blocks have the same length, so that no two operations end at one date.
graph::OpGraph ring_of_work(std::int32_t ranks, std::int32_t rounds) {
  graph::OpGraph g;
  std::vector<graph::LinkId> ports;
  for (std::int32_t r = 0; r < ranks; ++r) {
    ports.push_back(g.add_link({"port", BytesPerSecond(50e9), true}));
  }
  std::vector<std::uint32_t> paths;
  for (std::int32_t r = 0; r < ranks; ++r) {
    const auto next = static_cast<std::size_t>((r + 1) % ranks);
    paths.push_back(g.add_path({ports[static_cast<std::size_t>(r)], ports[next]}));
  }
  for (std::int32_t r = 0; r < ranks; ++r) {
    graph::OpId last = graph::no_op;
    for (std::int32_t i = 0; i < rounds; ++i) {
      graph::Op block;
      block.rank = r;
      block.duration = Seconds(1e-3 + 1e-6 * r);
      last = g.add(block, std::array{last});
      const std::array flows{graph::Flow{Bytes(1e6 + r), paths[static_cast<std::size_t>(r)]}};
      graph::Op send;
      send.rank = r;
      send.stream = graph::Stream::pipeline;
      send.first_flow = g.add_flows(flows);
      send.flow_count = 1;
      last = g.add(send, std::array{last});
    }
  }
  return g;
}

void engine_operation(benchmark::State& state) {
  const graph::OpGraph g = ring_of_work(static_cast<std::int32_t>(state.range(0)), 500);
  for (auto _ : state) {
    const double begun = cpu_seconds();
    benchmark::DoNotOptimize(engine::run(g).makespan);
    state.SetIterationTime(cpu_seconds() - begun);
  }
  const double operations = static_cast<double>(g.size()) * static_cast<double>(state.iterations());
  state.counters["per_operation"] =
      benchmark::Counter(operations, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(engine_operation)->RangeMultiplier(2)->Range(4, 256)->UseManualTime();

}  // namespace
