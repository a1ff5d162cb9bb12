#include "sim/report/atomic_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/catch.h"

namespace flotilla::report {
namespace {

namespace fs = std::filesystem;

// An empty folder that is gone after the test.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "flotilla-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  [[nodiscard]] std::string file(const std::string& name) const { return (path / name).string(); }
  [[nodiscard]] long entries() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

std::string content(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST_CASE("a file appears whole, with nothing beside it") {
  const Folder folder;
  write_file_atomically(folder.file("step.json"), [](std::ostream& out) { out << "whole"; });
  CHECK(content(folder.file("step.json")) == "whole");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a writer that fails leaves the old file as it was and nothing beside it") {
  const Folder folder;
  const std::string file = folder.file("step.json");
  std::ofstream(file) << "old";
  CHECK_THROWS_AS(write_file_atomically(file,
                                        [](std::ostream& out) {
                                          out << "half";
                                          throw std::runtime_error("stopped");
                                        }),
                  std::runtime_error);
  CHECK(content(file) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a path that cannot be written is named with the reason") {
  const Folder folder;
  const std::string file = folder.file("missing/step.json");
  CHECK_THROWS_WITH(write_file_atomically(file, [](std::ostream&) {}),
                    test::contains(file) && test::contains("No such file or directory"));
  CHECK_THROWS_WITH(write_file_atomically(folder.path.string(), [](std::ostream&) {}),
                    test::contains("directory"));
  CHECK(folder.entries() == 0);
}

TEST_CASE("a full disk is an error, not a short file") {
  if (!fs::exists("/dev/full")) return;
  CHECK_THROWS_WITH(write_file_atomically("/dev/full", [](std::ostream& out) { out << "text"; }),
                    test::contains("No space left"));
}

TEST_CASE("a symbolic link stays one, and what it points to is replaced") {
  const Folder folder;
  std::ofstream(folder.file("target")) << "old";
  fs::create_symlink(folder.file("target"), folder.file("link"));
  write_file_atomically(folder.file("link"), [](std::ostream& out) { out << "new"; });
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(content(folder.file("target")) == "new");
}

}  // namespace
}  // namespace flotilla::report
