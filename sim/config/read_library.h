// Readers of a collective library and of what it attains over a type of link.
#pragma once

#include "sim/config/collective_library.h"
#include "sim/config/reader.h"

namespace flotilla::config {

void read_library(Reader in, CollectiveLibrary& library);
// The "collectives" of a link.
void read_link_tuning(Reader in, LinkTuning& tuning);

}  // namespace flotilla::config
