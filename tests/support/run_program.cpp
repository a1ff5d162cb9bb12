#include "tests/support/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tests/catch.h"

namespace flotilla::test {

namespace {

// A file without a name, so that neither side waits for the other as with pipes.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File temporary_file() {
  File file(std::tmpfile(), std::fclose);
  REQUIRE(file);
  return file;
}

std::string all_of(const File& file) {
  std::string text;
  std::array<char, 65536> part;
  std::rewind(file.get());
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), file.get())) {
    text.append(part.data(), n);
  }
  return text;
}

// The writing end of a pipe that nobody reads.
int unread_pipe() {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  close(ends[0]);
  return ends[1];
}

[[noreturn]] void become_program(const Invocation& invocation, int in, int out, int err) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const char* name : {"NO_COLOR", "COLUMNS", "FLOTILLA_LIBRARY"}) unsetenv(name);
  setenv("TERM", "xterm-256color", 1);
  setenv("LC_ALL", "C.UTF-8", 1);
  for (const auto& [name, value] : invocation.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!invocation.folder.empty() && chdir(invocation.folder.c_str()) != 0) _exit(126);
  std::string program = FLOTILLA_PROGRAM;
  std::vector<std::string> arguments = invocation.arguments;
  std::vector<char*> argv = {program.data()};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(127);
}

}  // namespace

Outcome run_program(const Invocation& invocation) {
  const File in = temporary_file();
  const File out = temporary_file();
  const File err = temporary_file();
  std::fwrite(invocation.input.data(), 1, invocation.input.size(), in.get());
  std::rewind(in.get());
  const int unread = invocation.stdout_closed ? unread_pipe() : -1;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    become_program(invocation, fileno(in.get()), unread >= 0 ? unread : fileno(out.get()),
                   fileno(err.get()));
  }
  if (unread >= 0) close(unread);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  Outcome outcome;
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = all_of(out);
  outcome.err = all_of(err);
  return outcome;
}

Outcome run_program(const std::vector<std::string>& arguments) {
  return run_program(Invocation{.arguments = arguments});
}

}  // namespace flotilla::test
