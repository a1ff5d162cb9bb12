// The text of an input, kept so that a problem can show the line it is on.
#pragma once

#include <memory>
#include <string>

namespace flotilla::config {

struct SourceText {
  std::string name;       // as the person named it; "--set" for an override; "-" is stdin
  std::string directory;  // where relative paths inside it start; empty: the current directory
  std::string text;

  [[nodiscard]] bool from_command_line() const { return name == "--set"; }
  // The text of a 1-based line, without its line break.
  [[nodiscard]] std::string line(int number) const;
};

using SourcePtr = std::shared_ptr<const SourceText>;

// Some characters of a source. Lines and columns are 1-based, columns and lengths count characters.
struct Place {
  SourcePtr source;
  int line = 0;
  int column = 0;
  int length = 1;
};

// Why a file cannot be read, in words, and what may help.
struct FileTrouble {
  std::string message;
  std::string hint;
};

// Reads a whole file, "-" is stdin. Throws FileTrouble.
SourcePtr read_source(const std::string& path);

}  // namespace flotilla::config
