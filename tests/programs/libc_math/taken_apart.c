/* Functions without a model for symbolic numbers are the C library's code.
   expect: safe
   paths: 2
   args: --sym-arg 1
   native: asan -lm */
#include <assert.h>
#include <math.h>

int main(int argc, char **argv) {
  int exponent;
  long double number = argc > 1 && argv[1][0] > 'a' ? argv[1][0] : 0;
  long double fraction = frexpl(number, &exponent);
  if (number == 0)
    assert(fraction == 0 && exponent == 0);
  else
    assert(exponent == 7 && fraction >= 0.5L);
  return 0;
}
