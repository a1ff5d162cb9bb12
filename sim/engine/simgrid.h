// SimGrid's headers in the one order in which they compile.
#pragma once

// clang-format off
#include <xbt/log.h>
#include <simgrid/s4u.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/version.h>
// clang-format on
