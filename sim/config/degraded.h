// Elements of the machine that are worse than the platform says.
#pragma once

#include <cstdint>
#include <string>

#include "sim/config/source_text.h"

namespace flotilla::config {

struct Degraded {
  enum class Element { link, gpu, nic };
  Element element = Element::link;
  std::string link;      // "A - B" or "A", by the names of the fabric
  double bandwidth = 1;  // of a link: what is left of its own
  std::int64_t gpu = 0;  // of the platform
  double speed = 1;      // of a GPU: what is left of its own
  std::int64_t node = 0;
  std::int64_t nic = 0;  // of its node; a NIC in this list is dead
  // Where a person wrote it: names of links are checked when the fabric is there.
  std::string path;
  Place place;
};

}  // namespace flotilla::config
