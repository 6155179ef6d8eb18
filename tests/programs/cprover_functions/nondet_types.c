/* Functions that only have a declaration, of any type, and that return another value whenever they are called.
   expect: unsafe
   native: none (no compiler knows what CBMC does) */
#include <assert.h>
#include <stdint.h>
struct small {
  int a, b;
};
struct small nondet_small(void);
uint8_t nondet_uint8_t(void);
int64_t nondet_int64_t(void);
double nondet_double(void);
_Bool nondet_bool(void);

int main(void) {
  struct small one = nondet_small(), other = nondet_small();
  uint8_t byte = nondet_uint8_t();
  int64_t wide = nondet_int64_t();
  double d = nondet_double();
  _Bool is = nondet_bool();
  assert(byte <= 255 && is <= 1);
  __CPROVER_assume(one.a == 4 && one.b == -4 && wide > INT64_MAX - 2 && d > 0.5);
  assert(one.a + one.b == 0 && wide > 0);
  assert(one.a == other.a);  /* BUG: assert */
  assert(!(is && d < 0.75)); /* BUG: assert */
  return 0;
}
