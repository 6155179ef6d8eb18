/* An order that is not the one that is asked for.
   expect: unsafe
   native: asan
   input: values=1,-5 */
#include <algorithm>
#include <cassert>
#include "unfork.h"

int main() {
  int values[2];
  unfork_symbolic(values, sizeof values, "values");
  unfork_assume(values[0] > -1000 && values[0] < 1000 && values[1] > -1000 && values[1] < 1000);
  std::sort(values, values + 2, [](int one, int two) { return one * one < two * two; });
  assert(values[0] <= values[1]); /* BUG: assert */
  return 0;
}
