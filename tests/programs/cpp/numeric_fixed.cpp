/* expect: safe
   native: asan */
#include <cassert>
#include <complex>
#include <limits>
#include <numeric>
#include <vector>
#include "unfork.h"

int main() {
  unsigned char x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x < 12);
  assert(std::gcd(12, 6 + (x < 6 ? 0 : 3)) == (x < 6 ? 6 : 3));
  std::vector<int> values(4);
  std::iota(values.begin(), values.end(), x);
  assert(std::accumulate(values.begin(), values.end(), 0) == 4 * x + 6);
  std::partial_sum(values.begin(), values.end(), values.begin());
  assert(values[1] == 2 * x + 1);
  assert(std::inner_product(values.begin(), values.begin() + 2, values.begin(), 0) ==
         x * x + (2 * x + 1) * (2 * x + 1));
  std::complex<double> number(3, 4);
  assert(std::abs(number) == 5.0 && (number * std::conj(number)).real() == 25.0);
  assert(std::numeric_limits<short>::max() == 32767);
  return 0;
}
