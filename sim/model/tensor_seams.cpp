#include "sim/model/tensor_seams.h"

namespace flotilla::model {

void TensorSeams::enter_column(Program& p) const {
  if (sequence_) p.exchange({"gather input", ExchangeKind::all_gather, bytes_});
}

void TensorSeams::leave_row(Program& p) const {
  if (sequence_) {
    p.exchange({"scatter output", ExchangeKind::reduce_scatter, bytes_});
  } else if (tensor_) {
    p.exchange({"reduce output", ExchangeKind::all_reduce, bytes_});
  }
}

void TensorSeams::enter_row_backward(Program& p) const {
  if (sequence_) p.exchange({"gather output gradient", ExchangeKind::all_gather, bytes_});
}

void TensorSeams::column_backward(Program& p, const Kernel& data_gradient,
                                  const Program& weight_gradient) const {
  int gathered = -1;
  if (sequence_) gathered = p.start({"gather input again", ExchangeKind::all_gather, bytes_});
  if (!overlap_) p.wait(gathered);
  p.add(data_gradient);
  int reduced = -1;
  if (sequence_) {
    reduced = p.start({"scatter input gradient", ExchangeKind::reduce_scatter, bytes_});
  } else if (tensor_) {
    reduced = p.start({"reduce input gradient", ExchangeKind::all_reduce, bytes_});
  }
  p.wait(overlap_ ? gathered : reduced);
  p.append(weight_gradient);
  p.wait(reduced);
}

}  // namespace flotilla::model
