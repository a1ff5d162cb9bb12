#include "tools/trace_target.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "sim/config/problem.h"

namespace flotilla::tools {

namespace {

namespace fs = std::filesystem;

using Identity = std::optional<struct stat>;  // nothing: there is no such file

Identity identity_of(const std::string& path) {
  struct stat found {};
  const int failed = path == "-" ? fstat(STDIN_FILENO, &found) : stat(path.c_str(), &found);
  return failed != 0 ? Identity() : found;
}

Identity identity_of_stdout() {
  struct stat found {};
  return fstat(STDOUT_FILENO, &found) != 0 ? Identity() : found;
}

bool same_file(const Identity& a, const Identity& b) {
  return a && b && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool same_path(const std::string& a, const std::string& b) {
  std::error_code error;
  const fs::path first = fs::weakly_canonical(a, error);
  if (error) return false;
  const fs::path second = fs::weakly_canonical(b, error);
  return !error && first == second;
}

[[noreturn]] void refuse(const std::string& path, const std::string& message,
                         const std::string& hint) {
  config::Problem problem;
  problem.file = "--trace " + (path.empty() ? "\"\"" : path);
  problem.message = message;
  problem.hint = hint;
  throw config::InvalidInput({problem});
}

}  // namespace

void check_trace_target(const std::string& path, const std::vector<std::string>& files_read,
                        bool json) {
  if (path.empty()) refuse(path, "expected a file name", "like --trace step.json");
  const Identity target = identity_of(path);
  // What is thrown away in /dev/null, or shown on a terminal, destroys nothing.
  const bool keeps = !target || S_ISREG(target->st_mode);
  for (const std::string& file : files_read) {
    const bool same =
        same_file(target, identity_of(file)) || (file != "-" && same_path(path, file));
    if (!keeps || !same) continue;
    refuse(path,
           file == "-" ? "standard input comes from this file: the trace would replace it"
                       : "this run reads " + file + ": the trace would replace it",
           "name a file that is not there yet");
  }
  const bool to_stdout = same_file(target, identity_of_stdout());
  if (to_stdout && json && !same_file(target, identity_of("/dev/null"))) {
    refuse(path, "--json and --trace would write to one place",
           "leave one of them away, or give the trace a file of its own");
  }
  if (to_stdout && keeps) {
    refuse(path, "the page goes to this file: the trace would replace it",
           "give the trace a file of its own");
  }
}

}  // namespace flotilla::tools
