/* What std::sort does with so few elements. */
#include <assert.h>
#include "unfork.h"

#ifndef N
#define N 6
#endif

static void sort(int *first, int *last) {
  for (int *at = first + 1; at != last; at++) {
    int value = *at;
    int *hole = at;
    for (; hole != first && value < hole[-1]; hole--) *hole = hole[-1];
    *hole = value;
  }
}

int main(void) {
  int values[N];
  unfork_symbolic(values, sizeof values, "values");
  sort(values, values + N);
  assert(values[0] <= values[N - 1]);
  return 0;
}
