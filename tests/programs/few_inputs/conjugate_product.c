/* A number times its conjugate is real: the sum of two squares.
   expect: safe
   native: asan */
#include <assert.h>
#include <complex.h>
#include "unfork.h"

int main(void) {
  signed char a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  float complex z = (float)a + (float)b * I;
  float complex product = z * conjf(z);
  assert(crealf(product) == (float)(a * a + b * b));
  assert(cimagf(product) == 0);
  return 0;
}
