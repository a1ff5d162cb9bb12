// Quantities with a dimension: a duration cannot be added to a size.
//
// A Quantity holds one double in SI base units (seconds, bytes, floating-point operations).
// Products and quotients of quantities have the dimension that physics gives them, and a quotient
// of equal dimensions is a plain double:  Bytes / BytesPerSecond = Seconds,  Seconds / Seconds =
// double.
#pragma once

#include <compare>

namespace flotilla {

template <int Time, int Data, int Work>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}

  // The number in base units: seconds, bytes, FLOPs, and their quotients.
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }
  constexpr Quantity operator-() const { return Quantity(-value_); }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return a *= factor; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a *= factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) {
    return Quantity(a.value_ / divisor);
  }

 private:
  double value_ = 0;
};

namespace detail {
template <int Time, int Data, int Work>
constexpr auto with_dimension(double value) {
  if constexpr (Time == 0 && Data == 0 && Work == 0) {
    return value;
  } else {
    return Quantity<Time, Data, Work>(value);
  }
}
}  // namespace detail

template <int T1, int D1, int W1, int T2, int D2, int W2>
constexpr auto operator*(Quantity<T1, D1, W1> a, Quantity<T2, D2, W2> b) {
  return detail::with_dimension<T1 + T2, D1 + D2, W1 + W2>(a.value() * b.value());
}
template <int T1, int D1, int W1, int T2, int D2, int W2>
constexpr auto operator/(Quantity<T1, D1, W1> a, Quantity<T2, D2, W2> b) {
  return detail::with_dimension<T1 - T2, D1 - D2, W1 - W2>(a.value() / b.value());
}

using Seconds = Quantity<1, 0, 0>;
using Bytes = Quantity<0, 1, 0>;
using Flops = Quantity<0, 0, 1>;
using BytesPerSecond = Quantity<-1, 1, 0>;
using FlopsPerSecond = Quantity<-1, 0, 1>;

namespace literals {
constexpr Seconds operator""_s(long double v) { return Seconds(static_cast<double>(v)); }
constexpr Seconds operator""_s(unsigned long long v) { return Seconds(static_cast<double>(v)); }
constexpr Seconds operator""_us(long double v) { return Seconds(static_cast<double>(v) * 1e-6); }
constexpr Seconds operator""_us(unsigned long long v) {
  return Seconds(static_cast<double>(v) * 1e-6);
}
constexpr Bytes operator""_B(unsigned long long v) { return Bytes(static_cast<double>(v)); }
constexpr Bytes operator""_GB(long double v) { return Bytes(static_cast<double>(v) * 1e9); }
constexpr Bytes operator""_GB(unsigned long long v) { return Bytes(static_cast<double>(v) * 1e9); }
constexpr BytesPerSecond operator""_GBps(long double v) {
  return BytesPerSecond(static_cast<double>(v) * 1e9);
}
constexpr BytesPerSecond operator""_GBps(unsigned long long v) {
  return BytesPerSecond(static_cast<double>(v) * 1e9);
}
}  // namespace literals

}  // namespace flotilla
