/* Specialisations, packs, folds, if constexpr, concepts by SFINAE, CRTP.
   expect: safe
   native: asan */
#include <cassert>
#include <type_traits>
#include <utility>
#include "unfork.h"

template <class... Numbers> static auto sum(Numbers... numbers) { return (numbers + ... + 0); }

template <class T> static int width(T value) {
  if constexpr (std::is_integral_v<T>) return value == 0 ? 0 : sizeof(T);
  else return -1;
}

template <int N> struct Factorial { static constexpr int value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr int value = 1; };

template <class Derived> struct Comparable {
  bool operator>(const Derived &other) const { return other < static_cast<const Derived &>(*this); }
};
struct Number : Comparable<Number> {
  int value;
  explicit Number(int value) : value(value) {}
  bool operator<(const Number &other) const { return value < other.value; }
};

template <class T, std::size_t Size, std::size_t... At>
static T total(const T (&values)[Size], std::index_sequence<At...>) {
  return (values[At] + ...);
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x > -1000 && x < 1000);
  assert(sum(x, 2L, static_cast<short>(3)) == x + 5);
  assert(width(x) == (x == 0 ? 0 : 4) && width(1.5) == -1);
  static_assert(Factorial<5>::value == 120);
  assert((Number(x) > Number(3)) == (x > 3));
  int values[] = {x, 1, 2};
  assert(total(values, std::make_index_sequence<3>()) == x + 3);
  return 0;
}
