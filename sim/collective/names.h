// The words for operations and algorithms in files, options and reports.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "sim/collective/collective.h"

namespace flotilla::collective {

std::span<const std::pair<std::string_view, Op>> op_names();
std::span<const std::pair<std::string_view, Algorithm>> algorithm_names();

std::string_view name_of(Op op);
std::string_view name_of(Algorithm algorithm);

}  // namespace flotilla::collective
