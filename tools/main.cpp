// flotilla: predicts a training step on a GPU cluster.
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "sim/config/problem.h"
#include "sim/engine/engine.h"
#include "tools/commands.h"

namespace {

// Exit codes of the contract.
constexpr int run_failed = 1;
constexpr int bad_input = 2;

// In the list of commands, one line for each; `flotilla run --help` tells the rest.
class ShortCommands : public CLI::Formatter {
 public:
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string text = command->get_description();
    std::ostringstream line;
    CLI::detail::format_help(line, command->get_display_name(true), text.substr(0, text.find('\n')),
                             get_column_width());
    return line.str();
  }
};

// What was typed where a command belongs.
int no_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
  }
  const std::string near = flotilla::config::nearest(word, commands);
  std::cerr << "error: there is no command \"" << flotilla::config::excerpt(word) << "\"\n";
  if (!near.empty()) {
    std::cerr << "  did you mean `flotilla " << near << "`?\n";
  } else if (word.ends_with(".json")) {
    std::cerr << "  did you mean `flotilla run " << flotilla::config::excerpt(word) << "`?\n";
  }
  std::cerr << "  `flotilla --help` names the commands\n";
  return bad_input;
}

std::string version() {
  return std::string("flotilla ") + FLOTILLA_VERSION + " (SimGrid " +
         flotilla::engine::simgrid_version() + ")";
}

int guarded(const flotilla::tools::Action& action) {
  try {
    const int code = action();
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
    return code;
  } catch (const flotilla::config::InvalidInput& error) {
    std::cerr << flotilla::config::to_text(error.problems());
    return bad_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "error: out of memory\n";
    return run_failed;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return run_failed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away (| head) ends us through the failed write, with a message.
  std::signal(SIGPIPE, SIG_IGN);
  // So does a limit on the size of files, and the partial file goes.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app{
      "Predicts a training step of a large model on a GPU cluster.\n\n"
      "Examples:\n"
      "  flotilla run scenarios/llama3-405b-16k-h100.json\n"
      "  flotilla compare scenarios/one-card.json scenarios/two-cards-tensor.json",
      "flotilla"};
  app.formatter(std::make_shared<ShortCommands>());
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  flotilla::tools::Action action;
  flotilla::tools::add_run(app, action);
  flotilla::tools::add_compare(app, action);
  flotilla::tools::add_collective(app, action);
  flotilla::tools::add_validate(app, action);
  flotilla::tools::add_list(app, action);
  flotilla::tools::add_topology(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool command_missing = app.get_subcommands().empty() && error.get_exit_code() != 0;
    for (const std::string& word : app.remaining()) {
      if (command_missing && !word.starts_with("-")) return no_command(app, word);
    }
    return app.exit(error) == 0 ? 0 : bad_input;
  }
  return guarded(action);
}
