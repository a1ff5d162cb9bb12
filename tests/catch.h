// Catch2 for every test, version 2 (Debian 12) or 3 (later distributions), as one set of names:
// TEST_CASE, SECTION, CHECK..., Approx, and the matchers below.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

namespace flotilla::test {

// CHECK_THAT(message, contains("layout.tp"));
inline auto contains(const std::string& text) {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::Matchers::ContainsSubstring(text);
#else
  return Catch::Matchers::Contains(text);
#endif
}

}  // namespace flotilla::test
