/* LibTomMath's 2 to the power of any int. */
#include "tommath.h"
#include "unfork.h"

int main(void) {
  int exponent;
  mp_int power;
  unfork_symbolic(&exponent, sizeof exponent, "exponent");
  if (mp_init(&power) != MP_OKAY) return 1;
  mp_2expt(&power, exponent);
  mp_clear(&power);
  return 0;
}
