// Where --trace may write.
#pragma once

#include <string>
#include <vector>

namespace flotilla::tools {

// Throws config::InvalidInput for a path that is empty, that is one of the files that were read
// ("-" is stdin), or that is where standard output goes although something else is printed there.
void check_trace_target(const std::string& path, const std::vector<std::string>& files_read,
                        bool json);

}  // namespace flotilla::tools
