#include "sim/report/guard.h"

#include <limits>

#include "tests/catch.h"
#include "tests/report/samples.h"

namespace flotilla::report {
namespace {

TEST_CASE("an answer that is no finite number is not told") {
  Summary summary = test::large_run();
  CHECK_NOTHROW(require_sound(summary));
  summary.breakdown.bubble = Seconds(std::numeric_limits<double>::quiet_NaN());
  CHECK_THROWS_WITH(require_sound(summary), test::contains("not a finite time"));
  summary = test::large_run();
  summary.step = Seconds(std::numeric_limits<double>::infinity());
  CHECK_THROWS(require_sound(summary));
  summary.step = Seconds(0);
  CHECK_THROWS(require_sound(summary));
}

}  // namespace
}  // namespace flotilla::report
