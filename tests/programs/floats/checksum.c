/* A checksum over every floating operation, conversion and bit builtin on 60 rows of numbers, as gcc has it.
   NaN counts as one value: its sign and payload are not modelled.
   expect: safe
   native: asan */
#define EXPECTED 17914288118759323795ull
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <complex.h>
#include <assert.h>
static uint64_t sum = 1469598103934665603ull;
static void mix(uint64_t x) { sum = (sum ^ x) * 1099511628211ull; sum ^= sum >> 29; }
static void md(double d) { if (d != d) { mix(77); return; } uint64_t u; memcpy(&u, &d, 8); mix(u); }
static void mf(float d) { if (d != d) { mix(78); return; } uint32_t u; memcpy(&u, &d, 4); mix(u); }
static void ml(long double d) { if (d != d) { mix(79); return; } uint64_t u[2] = {0,0}; memcpy(u, &d, 10);
mix(u[0]); mix(u[1]); }
static uint64_t seed = 88172645463325252ull;
static uint64_t next(void) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed; }
static double rd(void) {
  static const double edge[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e308, -1e-308,
    5e-324, 2.5, -3.5, 1e19, INFINITY, -INFINITY, NAN, 1e-40, 16777217.0};
  uint64_t k = next();
  if (k % 3 == 0) return edge[k / 3 % 16];
  if (k % 3 == 1) return (double)(int64_t)(next() >> (k % 60)) / 8.0;
  uint64_t u = next(); double d; memcpy(&d, &u, 8); return d;
}
typedef float v4 __attribute__((vector_size(16)));
struct s { float a; double b; long double c; };
static struct s by_value(struct s x, float y) { x.a += y; x.b *= y; x.c -= y; return x; }
int main(void) {
  for (int i = 0; i < 60; i++) {
    double a = rd(), b = rd(), c = rd();
    md(a + b); md(a - b); md(a * b); md(a / b); md(fmod(a, b)); md(sqrt(a)); md(fma(a, b, c)); md(-a); md(fabs(a));
    md(floor(a)); md(ceil(a)); md(trunc(a)); md(round(a)); md(rint(a)); md(nearbyint(a)); md(fmin(a, b) + 0.0);
    md(fmax(a, b) + 0.0); md(b != b ? 1 : copysign(a, b));
    md(fdim(a, b)); md(ldexp(a, (int)(next() % 2000) - 1000)); int e = 0; double ip;
    md(isfinite(a) ? frexp(a, &e) : 1); mix(e); md(modf(a, &ip)); md(ip);
    md(remainder(a, b)); md(nextafter(a, b)); md(scalbn(a, 3));
    float fa = (float)a, fb = (float)b, fc = (float)c;
    mf(fa + fb); mf(fa - fb); mf(fa * fb); mf(fa / fb); mf(fmodf(fa, fb)); mf(sqrtf(fa)); mf(fmaf(fa, fb, fc));
    mf(floorf(fa)); mf(roundf(fa)); mf(rintf(fa)); mf(fb != fb ? 1 : copysignf(fa, fb));
    long double la = a, lb = b, lc = c / 3;
    ml(la + lb); ml(la - lc); ml(la * lc); ml(la / lb); ml(la / 3); ml(fmodl(la, lb)); ml(sqrtl(fabsl(lc)));
    ml(floorl(lc)); ml(ceill(lc)); ml(roundl(lc)); ml(truncl(lc)); ml(rintl(lc)); md((double)(la / 7));
    mf((float)(la / 7));
    mix(a < b); mix(a <= b); mix(a == b); mix(a != b); mix(a > b); mix(isless(a, b)); mix(isunordered(a, b));
    mix(islessgreater(a, b)); mix(la < lc); mix(fa >= fb);
    mix(isnan(a)); mix(isinf(a) != 0); mix(isnormal(a) != 0); mix(isfinite(a) != 0); mix(fpclassify(a));
    mix(fpclassify(fa)); mix(fpclassify(la)); mix(a == a && signbit(a) != 0);
    if (fabs(a) < 9e18) { mix((int64_t)a); mix(llround(a)); mix(lrint(a)); mix((int64_t)fa); mix((int64_t)la); }
    if (a > 0 && a < 1.8e19) { mix((uint64_t)a); mix((uint64_t)(a + 0.5L)); }
    if (fabs(a) < 2e9) { mix((int)a); mix((unsigned)(int)fa); mix((short)(int)a); mix((signed char)(int)a); }
    if (fabs(a) < 1e37) { __int128 w = (__int128)a; mix((uint64_t)w); mix((uint64_t)(w >> 64)); md((double)w);
      mf((float)w); ml((long double)w); }
    int64_t n = (int64_t)next(), shift = next() % 63;
    n >>= shift;
    uint64_t un = next();
    un >>= next() % 63;
    md((double)n); mf((float)n); ml((long double)n); md((double)un); mf((float)un); ml((long double)un);
    mf((float)(short)n); md((double)(signed char)n); md((double)(_Bool)n);
    double _Complex z = __builtin_complex(a, b) * __builtin_complex(c, 1.5); md(creal(z)); md(cimag(z));
    float _Complex y = __builtin_complex(1.5f, 2.5f) * __builtin_complex((float)(n % 100), 3.0f); mf(crealf(y));
    mf(cimagf(y));
    v4 v = {fa, fb, fc, 1.0f}, w = {1.5f, 2.5f, fa, fb}; v = v * w + v - w / (v4){2, 2, 2, 2}; for (int k = 0;
    k < 4; k++) mf(v[k]);
    typedef int i4 __attribute__((vector_size(16))); i4 m = v < w; for (int k = 0; k < 4; k++) mix((unsigned)m[k]);
    struct s st = {fa, b, lc}; st = by_value(st, 1.5f); mf(st.a); md(st.b); ml(st.c);
    mix(__builtin_popcountll(un)); mix(un ? __builtin_ctzll(un) : 0); mix(un ? __builtin_clzll(un) : 0);
    mix(__builtin_bswap64(un)); mix(__builtin_bswap32((uint32_t)un)); mix(__builtin_bswap16((uint16_t)un));
    mix(un << (n & 63) | un >> (-n & 63)); mix((uint32_t)un >> (n & 31) | (uint32_t)un << (-n & 31));
    mix(__builtin_parityll(un)); mix(__builtin_ffsll(un));
    int64_t r; mix(__builtin_add_overflow(n, (int64_t)un, &r)); mix(r);
    mix(__builtin_mul_overflow(n, (int64_t)un, &r)); mix(r);
    mix(__builtin_sub_overflow((int32_t)n, (int64_t)un, &r)); mix(r);
    int ri; unsigned ru; mix(__builtin_mul_overflow(n, un, &ri)); mix((unsigned)ri);
    mix(__builtin_add_overflow((short)n, (unsigned)un, &ru)); mix(ru);
  }
  assert(sum == EXPECTED);
  return 0;
}
