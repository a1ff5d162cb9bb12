// The last look at an answer before anybody sees it.
#pragma once

#include "sim/report/summary.h"

namespace flotilla::report {

// Throws std::runtime_error where the step or a number derived from it is not a finite one, or is
// nothing at all: then some values of the input are too far apart to be reckoned with.
void require_sound(const Summary& summary);

}  // namespace flotilla::report
