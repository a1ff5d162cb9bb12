// The commands of the program: CLI11 options in, calls into sim/, text out. No logic lives here.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace flotilla::tools {

// What the chosen command does; set by CLI11 while it parses, called afterwards. Returns the exit
// code.
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_collective(CLI::App& app, Action& action);
void add_validate(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_topology(CLI::App& app, Action& action);

// The folder with the shipped models/, platforms/ and scenarios/.
std::string library_root();

}  // namespace flotilla::tools
