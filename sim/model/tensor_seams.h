// Where tensor parallelism exchanges: on entering a column-parallel matrix and on leaving a
// row-parallel one, forward and backward. At tp 1 nothing is exchanged.
#pragma once

#include "sim/model/layer_parts.h"
#include "sim/model/program.h"
#include "sim/model/slice.h"

namespace flotilla::model {

class TensorSeams {
 public:
  TensorSeams(const LayerDimensions& d, const Slice& slice)
      : bytes_(d.residual_bytes),
        tensor_(slice.tp > 1),
        sequence_(slice.sequence_parallel),
        overlap_(slice.overlap_exchanges) {}

  // Before a column-parallel matrix, forward: sequence parallelism gathers its input.
  void enter_column(Program& p) const;
  // After a row-parallel matrix, forward: the partial products are summed.
  void leave_row(Program& p) const;
  // Before a row-parallel matrix, backward: the mirror of leave_row.
  void enter_row_backward(Program& p) const;
  // A column-parallel matrix, backward. Sequence parallelism gathers the input again beside the
  // data gradient; the data gradient is summed beside the weight gradient. Where exchanges do not
  // overlap, each is waited for at once.
  void column_backward(Program& p, const Kernel& data_gradient,
                       const Program& weight_gradient) const;

 private:
  Bytes bytes_;
  bool tensor_;
  bool sequence_;
  bool overlap_;
};

}  // namespace flotilla::model
