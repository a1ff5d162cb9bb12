// From scenario.json to a validated config::Scenario.
#pragma once

#include <string>
#include <vector>

#include "sim/config/scenario.h"

namespace flotilla::config {

struct Sources {
  // "layout.tp=4", in the order given. The value is JSON, or else a text; null takes the key out.
  std::vector<std::string> overrides;
  std::string library_root;  // folder that holds the shipped models/ platforms/ scenarios/
};

// Reads a scenario ("-" is stdin; a bare name finds the shipped file), follows its model and
// platform files, applies the overrides, checks everything that can be checked without simulating.
// Throws InvalidInput with every problem found.
Scenario load_scenario(const std::string& file, const Sources& sources);

// A platform alone, by its shipped name or its path; overrides read platform.nodes=4.
Platform load_platform(const std::string& file, const Sources& sources);

// Several at once; throws InvalidInput with the problems of all of them.
std::vector<Scenario> load_scenarios(const std::vector<std::string>& files, const Sources& sources);

// One line of `flotilla list`.
struct Entry {
  std::string name;   // what `flotilla run` or "model": accepts
  std::string title;  // the file's "name", and a few facts
};
std::vector<Entry> list_models(const std::string& library_root);
std::vector<Entry> list_platforms(const std::string& library_root);
std::vector<Entry> list_scenarios(const std::string& library_root);

}  // namespace flotilla::config
