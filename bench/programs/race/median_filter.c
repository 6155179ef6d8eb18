/* A median filter with a window of three over N samples: each result has at least two samples of its window on either
   side, itself included, and the filter leaves rising samples as they are.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef N
#define N 8
#endif

static int median(int a, int b, int c) {
  if (a > b) {
    int larger = a;
    a = b;
    b = larger;
  }
  if (c <= a)
    return a;
  if (c >= b)
    return b;
  return c;
}

int main(void) {
  unsigned char samples[N], filtered[N];
  int rising = 1;

  unfork_symbolic(samples, sizeof samples, "samples");
  filtered[0] = samples[0];
  filtered[N - 1] = samples[N - 1];
  for (int i = 1; i < N - 1; ++i)
    filtered[i] = (unsigned char)median(samples[i - 1], samples[i], samples[i + 1]);
  for (int i = 1; i < N - 1; ++i) {
    int below = 0, above = 0;
    for (int j = i - 1; j <= i + 1; ++j) {
      below += samples[j] <= filtered[i];
      above += samples[j] >= filtered[i];
    }
    assert(below >= 2 && above >= 2);
  }
  for (int i = 1; i < N; ++i)
    if (samples[i - 1] > samples[i])
      rising = 0;
  if (rising)
    for (int i = 0; i < N; ++i)
      assert(filtered[i] == samples[i]);
  return 0;
}
