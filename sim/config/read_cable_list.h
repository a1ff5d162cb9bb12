// A network given as a list of switches and cables: { "between": ["nodes 0-3", "leaf 0"], ... }.
#pragma once

#include "sim/config/platform.h"
#include "sim/config/reader.h"

namespace flotilla::config {

void read_cable_list(Reader& in, const Platform& platform, ListedNetwork& network);
// Every NIC has one cable, and a way to every other NIC.
void check_cable_list(Reader in, const Platform& platform);

}  // namespace flotilla::config
