#include <algorithm>
#include <cassert>
#include "unfork.h"

#ifndef N
#define N 6
#endif

int main() {
  int values[N];
  unfork_symbolic(values, sizeof values, "values");
  std::sort(values, values + N);
  assert(values[0] <= values[N - 1]);
  return 0;
}
