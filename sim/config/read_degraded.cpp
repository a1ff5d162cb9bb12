#include <regex>
#include <set>
#include <utility>

#include "sim/config/read.h"

namespace flotilla::config {

namespace {

// { "nic": "node 3 nic 1", "dead": true }
void read_dead_nic(Reader& in, Degraded& element) {
  element.element = Degraded::Element::nic;
  in.require({"dead"});
  bool dead = true;
  in.flag("dead", dead);
  if (!dead) in.fault("dead", "a NIC in this list is dead", "leave it out, or give a \"link\"");
  std::string name;
  in.text("nic", name);
  static const std::regex form(R"(node (\d{1,6}) nic (\d{1,6}))");
  std::smatch found;
  if (std::regex_match(name, found, form)) {
    element.node = std::stoll(found[1]);
    element.nic = std::stoll(found[2]);
  } else if (in.sound("nic")) {
    in.fault("nic", "expected a text like \"node 3 nic 1\"");
  }
}

Degraded read_element(Reader in) {
  Degraded element;
  element.place = in.node().place;
  const bool link = in.has("link");
  const bool gpu = in.has("gpu");
  const bool nic = in.has("nic");
  if (static_cast<int>(link) + static_cast<int>(gpu) + static_cast<int>(nic) != 1) {
    in.fault("", "expected one of \"link\", \"gpu\" and \"nic\"");
    return element;
  }
  if (link) {
    element.path = in.path_of("link");
    element.place = in.node().find("link")->place;
    in.require({"bandwidth"});
    in.text("link", element.link);
    in.share("bandwidth", element.bandwidth);
  } else if (gpu) {
    element.element = Degraded::Element::gpu;
    element.path = in.path_of("gpu");
    in.require({"speed"});
    in.count("gpu", element.gpu, {0, 100'000'000});
    in.share("speed", element.speed);
  } else {
    element.path = in.path_of("nic");
    element.place = in.node().find("nic")->place;
    read_dead_nic(in, element);
  }
  in.finish();
  return element;
}

}  // namespace

void read_degraded(Reader& in, std::vector<Degraded>& degraded) {
  for (const Reader& reader : in.objects("degraded")) degraded.push_back(read_element(reader));
}

void check_degraded(Reader& in, const Scenario& scenario) {
  if (!in.sound("degraded") || !in.sound("platform.nodes") || !in.sound("platform.node")) return;
  const Platform& platform = scenario.platform;
  std::vector<Reader> readers = in.objects("degraded");
  std::set<std::pair<std::int64_t, std::int64_t>> dead;
  std::set<std::int64_t> slow;
  for (std::size_t i = 0; i < scenario.degraded.size(); ++i) {
    const Degraded& element = scenario.degraded[i];
    if (element.element == Degraded::Element::gpu) {
      if (element.gpu >= platform.gpus()) {
        readers[i].fault("gpu",
                         "the platform has GPUs 0 to " + std::to_string(platform.gpus() - 1));
      } else if (!slow.insert(element.gpu).second) {
        readers[i].fault("gpu", "this GPU is in the list already");
      }
    }
    if (element.element != Degraded::Element::nic) continue;
    if (platform.node.nics == 0) {
      readers[i].fault("nic", "this platform has no NICs");
    } else if (element.node >= platform.nodes || element.nic >= platform.node.nics) {
      readers[i].fault("nic", "the platform has nodes 0 to " + std::to_string(platform.nodes - 1) +
                                  " with NICs 0 to " + std::to_string(platform.node.nics - 1));
    } else if (!dead.insert({element.node, element.nic}).second) {
      readers[i].fault("nic", "this NIC is in the list already");
    }
  }
}

}  // namespace flotilla::config
