/* expect: safe
   paths: 1
   native: asan -lm */
#include <assert.h>
#include <math.h>

static int near(double a, double b) { return fabs(a - b) <= 1e-14 * fabs(b); }

int main(void) {
  assert(near(exp(1.0), 2.718281828459045) && near(log(10.0), 2.302585092994046) && pow(2.0, 10.0) == 1024.0);
  assert(near(sin(0.5), 0.479425538604203) && near(cos(0.5), 0.8775825618903728) && near(tan(0.5), 0.5463024898437905));
  assert(near(atan2(1.0, -1.0), 2.356194490192345) && near(asin(0.25), 0.25268025514207865));
  assert(near(sinh(1.0), 1.1752011936438014) && near(tgamma(5.0), 24.0) && near(erf(0.5), 0.5204998778130465));
  assert(cbrt(27.0) == 3.0 && hypot(3.0, 4.0) == 5.0 && exp2(3.0) == 8.0 && log2(8.0) == 3.0 && log10(1000.0) == 3.0);
  assert(near(expm1(1e-10), 1.00000000005e-10) && near(log1p(1e-10), 9.9999999995e-11));
  assert(isnan(log(-1.0)) && isinf(exp(1000.0)) && sinf(0.0f) == 0.0f && powl(2.0L, 3.0L) == 8.0L);
  assert(sqrt(2.0) * sqrt(2.0) > 1.99 && fmod(7.5, 2.0) == 1.5 && floor(-1.5) == -2.0);
  return 0;
}
