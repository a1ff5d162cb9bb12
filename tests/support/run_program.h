// Runs flotilla as a person would, and keeps what it says.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace flotilla::test {

struct Invocation {
  std::vector<std::string> arguments;  // as the program gets them: no shell, no quoting
  std::string input = "";              // its standard input
  std::string folder = "";             // its current directory; empty: that of the tests
  // Added to an environment that looks like a colourful UTF-8 terminal's.
  std::map<std::string, std::string> environment = {};
  bool stdout_closed = false;  // nobody reads its standard output: | head that has had enough
};

struct Outcome {
  int code = -1;   // exit code; -1: it did not exit by itself
  int signal = 0;  // what killed it
  std::string out;
  std::string err;
};

Outcome run_program(const Invocation& invocation);
Outcome run_program(const std::vector<std::string>& arguments);

}  // namespace flotilla::test
