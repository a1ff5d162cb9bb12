#include "sim/report/atomic_file.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace flotilla::report {

namespace {

namespace fs = std::filesystem;

class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

// Removes a file unless it was kept.
class Temporary {
 public:
  explicit Temporary(fs::path path) : path_(std::move(path)) {}
  ~Temporary() {
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write " + path + ": " + reason);
}

void write_through(const fs::path& file, const std::string& named,
                   const std::function<void(std::ostream&)>& writer) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  if (!out) fail(named, std::strerror(errno));
  writer(out);
  out.close();
  // The stream does not say why; errno does when the last failing call was the write itself.
  if (!out) fail(named, errno != 0 ? std::strerror(errno) : "the write failed");
}

}  // namespace

void write_file_atomically(const std::string& path,
                           const std::function<void(std::ostream&)>& writer) {
  std::error_code error;
  const fs::file_status existing = fs::status(path, error);
  if (fs::is_directory(existing)) fail(path, "it is a directory");
  if (fs::exists(existing) && !fs::is_regular_file(existing)) {
    write_through(path, path, writer);
    return;
  }
  // A symbolic link stays one: the file that it points to is replaced.
  const fs::path target = fs::exists(existing) ? fs::canonical(path, error) : fs::path(path);
  if (error && fs::exists(existing)) fail(path, error.message());

  const SignalsHeld held;
  Temporary temporary(target.string() + ".partial-" + std::to_string(getpid()));
  write_through(temporary.path(), path, writer);
  if (fs::exists(existing)) fs::permissions(temporary.path(), existing.permissions(), error);
  fs::rename(temporary.path(), target, error);
  if (error) fail(path, error.message());
  temporary.keep();
}

}  // namespace flotilla::report
