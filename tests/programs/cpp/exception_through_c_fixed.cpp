/* An exception leaves qsort, which knows nothing of it.
   expect: safe
   native: asan */
#include <cassert>
#include <cstdlib>
#include "unfork.h"

static int compare(const void *one, const void *two) {
  int left = *static_cast<const int *>(one), right = *static_cast<const int *>(two);
  if (left == 13 || right == 13) throw 13;
  return (left > right) - (left < right);
}

int main() {
  int values[3] = {5, 0, 4};
  unfork_symbolic(&values[1], sizeof values[1], "x");
  int x = values[1];
  int caught = 0;
  try {
    std::qsort(values, 3, sizeof *values, compare);
    assert(values[0] <= values[1] && values[1] <= values[2]);
  } catch (int number) {
    caught = number;
  }
  assert(caught == (x == 13 ? 13 : 0));
  return 0;
}
