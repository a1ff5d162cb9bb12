// Work in a forked child: SimGrid allows one engine per process, and a crash there must not take
// the program along.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace flotilla::engine {

// Runs `work` in a child process and returns the bytes that it produced. An exception of `work`
// comes back as std::runtime_error with the same text; so does a child that dies, with the signal's
// name.
std::vector<std::byte> in_child(const std::function<std::vector<std::byte>()>& work);

}  // namespace flotilla::engine
