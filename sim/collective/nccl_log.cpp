#include "sim/collective/nccl_log.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>

namespace flotilla::collective {

namespace {

// "0: ", "[0] ", "[1,0]<stdout>:", "worker-0: " before what the test itself printed.
std::string without_prefix(std::string line) {
  if (const std::size_t mark = line.find("<stdout>:"); mark != std::string::npos) {
    line.erase(0, mark + 9);
  }
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos) return {};
  if (line[start] == '[') {
    const std::size_t close = line.find(']', start);
    if (close != std::string::npos) return line.substr(close + 1);
  }
  const std::size_t end = line.find_first_of(" \t", start);
  const bool label = end != std::string::npos && end > start && line[end - 1] == ':';
  return label ? line.substr(end) : line;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

std::optional<double> number(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || end != word.c_str() + word.size() || !(value >= 0) || value > 1e18) {
    return std::nullopt;
  }
  return value;
}

// size count type redop [root] time algbw busbw wrong [time algbw busbw wrong]
std::optional<LogRow> row_of(const std::vector<std::string>& words) {
  if (words.size() < 7 || !number(words[0]) || !number(words[1]) || number(words[2])) {
    return std::nullopt;
  }
  // The columns after type and redop: a root is a whole number, or -1, in front of the time.
  std::size_t time = number(words[3]) ? 3 : 4;
  const std::size_t left = words.size() - time;
  const bool root = left == 5 || left == 9;
  if (root) ++time;
  if (time + 2 >= words.size()) return std::nullopt;
  const auto us = number(words[time]);
  const auto busbw = number(words[time + 2]);
  if (!us || !busbw || !number(words[time + 1])) return std::nullopt;
  LogRow row;
  row.bytes = Bytes(*number(words[0]));
  row.time = Seconds(*us * 1e-6);
  row.busbw = BytesPerSecond(*busbw * 1e9);
  if (time + 3 < words.size()) {
    row.wrong = static_cast<std::int64_t>(number(words[time + 3]).value_or(0));
  }
  if (time + 4 < words.size()) {
    row.in_place_time = Seconds(number(words[time + 4]).value_or(0) * 1e-6);
  }
  return row;
}

// # Rank 0 [Group 0] Pid 519864 on oneflow-27 device 0 [0x0f] NVIDIA GeForce RTX 3090
void read_device(const std::vector<std::string>& words, NcclLog& log,
                 std::set<std::string>& hosts) {
  const auto on = std::find(words.begin(), words.end(), "on");
  const auto device = std::find(words.begin(), words.end(), "device");
  if (on == words.end() || device == words.end() || on + 1 >= device) return;
  hosts.insert(*(on + 1));
  log.hosts = static_cast<std::int64_t>(hosts.size());
  ++log.ranks;
  if (!log.gpu.empty()) return;
  for (auto word = device + 3; word < words.end(); ++word) {
    log.gpu += (log.gpu.empty() ? "" : " ") + *word;
  }
}

void add(const LogRow& row, NcclLog& log) {
  const auto same = std::find_if(log.rows.begin(), log.rows.end(),
                                 [&](const LogRow& r) { return r.bytes == row.bytes; });
  if (same == log.rows.end()) {
    log.rows.push_back(row);
  } else if (row.time < same->time) {
    *same = row;
  }
}

}  // namespace

NcclLog read_nccl_log(std::istream& in) {
  NcclLog log;
  std::set<std::string> hosts;
  std::set<std::string> ranks;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> words = words_of(without_prefix(line));
    if (words.size() > 2 && words[0] == "#" && words[1] == "Rank") {
      // A file may hold several runs over the same devices.
      if (ranks.insert(words[2]).second) read_device(words, log, hosts);
    } else if (const auto row = row_of(words)) {
      add(*row, log);
    }
  }
  std::sort(log.rows.begin(), log.rows.end(),
            [](const LogRow& a, const LogRow& b) { return a.bytes < b.bytes; });
  return log;
}

}  // namespace flotilla::collective
