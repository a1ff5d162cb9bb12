// Files that appear whole or not at all.
#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace flotilla::report {

// Has `writer` write a file beside `path`, then renames it to `path`. SIGINT and SIGTERM wait until
// it is whole. On failure what was at `path` is untouched and nothing is left beside it.
// A device or a pipe ("/dev/stdout") is written to directly.
// Throws std::runtime_error with the path and the reason; exceptions of the writer pass through.
void write_file_atomically(const std::string& path,
                           const std::function<void(std::ostream&)>& writer);

}  // namespace flotilla::report
