// Reader of what nccl-tests prints (all_reduce_perf and its likes), as people paste it.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "sim/units/quantity.h"

namespace flotilla::collective {

struct LogRow {
  Bytes bytes;
  Seconds time;            // out of place
  BytesPerSecond busbw;    // as printed
  Seconds in_place_time;   // 0 when the log has no second half
  std::int64_t wrong = 0;  // values that the test found wrong; 0 when it did not look
};

struct NcclLog {
  std::vector<LogRow> rows;
  std::int64_t ranks = 0;  // from the list of devices; 0 when the log has none
  std::int64_t hosts = 0;
  std::string gpu;  // of rank 0
};

// Lines may carry the prefixes of launchers ("0: ", "[1,0]<stdout>:"); what is neither a row nor a
// device is passed over. Old logs without a root column, with "error" for "#wrong" and with N/A are
// read too. Of a size that occurs several times the fastest row counts.
NcclLog read_nccl_log(std::istream& in);

}  // namespace flotilla::collective
