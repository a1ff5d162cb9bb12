// The words for operations and algorithms in files, options and reports.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "sim/config/collective_library.h"

namespace flotilla::config {

std::span<const std::pair<std::string_view, CollectiveOp>> op_names();
std::span<const std::pair<std::string_view, CollectiveAlgorithm>> algorithm_names();

std::string_view name_of(CollectiveOp op);
std::string_view name_of(CollectiveAlgorithm algorithm);

}  // namespace flotilla::config
