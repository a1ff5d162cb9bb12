#include "sim/engine/child.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

namespace flotilla::engine {

namespace {

enum class Verdict : std::uint8_t { result, error };

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("cannot create a pipe for the simulation");
    read_end = ends[0];
    write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_read();
    close_write();
  }
  void close_read() { close_end(read_end); }
  void close_write() { close_end(write_end); }

 private:
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

void write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the parent is gone; nobody is left to tell
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

std::vector<std::byte> read_all(int fd) {
  std::vector<std::byte> bytes;
  std::size_t used = 0;
  for (;;) {
    if (bytes.size() - used < 65536) bytes.resize(std::max<std::size_t>(65536, bytes.size() * 2));
    const ssize_t got = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

[[noreturn]] void run_child(pid_t parent, int fd,
                            const std::function<std::vector<std::byte>()>& work) {
  // Whatever ends the parent ends the simulation too: nobody is left to read it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  Verdict verdict = Verdict::result;
  std::vector<std::byte> bytes;
  try {
    bytes = work();
  } catch (const std::exception& error) {
    verdict = Verdict::error;
    const auto text = std::as_bytes(std::span(error.what(), std::strlen(error.what())));
    bytes.assign(text.begin(), text.end());
  }
  write_all(fd, std::as_bytes(std::span(&verdict, 1)));
  write_all(fd, bytes);
  // Neither SimGrid's teardown nor the parent's buffered output belong to this process.
  ::_exit(0);
}

std::string how_it_died(int status) {
  if (WIFSIGNALED(status)) {
    return std::string("the simulation was killed: ") + ::strsignal(WTERMSIG(status));
  }
  return "the simulation ended without a result";
}

}  // namespace

std::vector<std::byte> in_child(const std::function<std::vector<std::byte>()>& work) {
  Pipe pipe;
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("cannot fork a process for the simulation");
  if (pid == 0) {
    pipe.close_read();
    run_child(parent, pipe.write_end, work);
  }
  pipe.close_write();
  std::vector<std::byte> bytes = read_all(pipe.read_end);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (bytes.empty() || !WIFEXITED(status)) throw std::runtime_error(how_it_died(status));
  const auto verdict = static_cast<Verdict>(bytes.front());
  bytes.erase(bytes.begin());
  if (verdict == Verdict::error) {
    throw std::runtime_error(
        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  return bytes;
}

}  // namespace flotilla::engine
