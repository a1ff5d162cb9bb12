#include "sim/config/read.h"
#include "sim/config/read_library.h"

namespace flotilla::config {

const Choices<LinkKind>& link_kinds() {
  static const Choices<LinkKind> kinds = {
      {"nvlink", LinkKind::nvlink}, {"pcie", LinkKind::pcie}, {"network", LinkKind::network}};
  return kinds;
}

void read_link(Reader in, Link& link) {
  in.require({"kind", "bandwidth", "latency"});
  in.text("name", link.name);
  in.source(link.source);
  in.choice("kind", link.kind, link_kinds());
  in.quantity("bandwidth", link.bandwidth);
  in.share("efficiency", link.efficiency);
  in.quantity("latency", link.latency, Zero::allowed);
  if (const auto tuning = in.object("collectives")) read_link_tuning(*tuning, link.tuning);
  in.finish();
}

}  // namespace flotilla::config
