/* The compensation must not be simplified away.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  double sum = 0, carry = 0, plain = 0;
  volatile double tenth = 0.1;
  for (int i = 0; i < 1000; i++) {
    double y = tenth - carry;
    double t = sum + y;
    carry = (t - sum) - y;
    sum = t;
    plain += tenth;
  }
  assert(sum == 100.0);
  assert(plain == 99.9999999999986);
  return 0;
}
