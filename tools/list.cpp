#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "sim/config/load.h"
#include "sim/report/style.h"
#include "tools/commands.h"

namespace flotilla::tools {

namespace {

void print(const char* title, const std::vector<config::Entry>& entries) {
  const report::Style style = report::detect_style(STDOUT_FILENO);
  std::cout << title << '\n';
  std::size_t width = 0;
  for (const config::Entry& entry : entries) width = std::max(width, entry.name.size());
  for (const config::Entry& entry : entries) {
    std::cout << "  " << std::left << std::setw(static_cast<int>(width)) << entry.name << "  "
              << report::shortened(report::printable(entry.title),
                                   style.width - 4 - static_cast<int>(width), style)
              << '\n';
  }
}

int list() {
  const std::string root = library_root();
  print("Models", config::list_models(root));
  print("Platforms", config::list_platforms(root));
  print("Scenarios", config::list_scenarios(root));
  return 0;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list",
                                         "Names the shipped models, platforms and scenarios.\n\n"
                                         "Examples:\n"
                                         "  flotilla list\n"
                                         "  flotilla list | grep a100");
  command->callback([&action] { action = list; });
}

std::string library_root() {
  // Installed elsewhere than built: point to the folder with models/, platforms/ and scenarios/.
  if (const char* root = std::getenv("FLOTILLA_LIBRARY"); root != nullptr && *root != '\0') {
    return root;
  }
  return FLOTILLA_SOURCE_DIR;
}

}  // namespace flotilla::tools
