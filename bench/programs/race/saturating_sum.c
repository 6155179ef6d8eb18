/* A sum of N samples that saturates at the bounds of eight bits: it is the exact sum if it never saturated, and the
   smaller one of the exact sum and the bound if no sample is negative.

   expect: safe
   native: asan
*/
#include <assert.h>
#include <limits.h>

#include "unfork.h"

#ifndef N
#define N 14
#endif

static int clipped;

static signed char add(signed char left, signed char right) {
  int sum = left + right;

  if (sum > SCHAR_MAX) {
    clipped = 1;
    return SCHAR_MAX;
  }
  if (sum < SCHAR_MIN) {
    clipped = 1;
    return SCHAR_MIN;
  }
  return (signed char)sum;
}

int main(void) {
  signed char samples[N], sum = 0;
  int exact = 0, negative = 0;

  unfork_symbolic(samples, sizeof samples, "samples");
  for (int i = 0; i < N; ++i) {
    sum = add(sum, samples[i]);
    exact += samples[i];
    if (samples[i] < 0)
      negative = 1;
  }
  assert(clipped || sum == exact);
  assert(negative || sum == (exact > SCHAR_MAX ? SCHAR_MAX : exact));
  return 0;
}
