/* _Complex travels as a pair: insertvalue and extractvalue.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static double _Complex rotate(double _Complex z) { return z + __builtin_complex(-1.0, 1.0); }
static float _Complex mirror(float _Complex z) { return ~z; }

int main(void) {
  double _Complex z = rotate(__builtin_complex(2.0, 3.0));
  assert(__real__ z == 1.0 && __imag__ z == 4.0);
  float _Complex f = mirror(__builtin_complex(1.5f, 2.5f));
  assert(__real__ f == 1.5f && __imag__ f == -2.5f);
  return 0;
}
