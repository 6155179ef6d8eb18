/* Floating-point operations of the machine and of its libm, through pointers, for tests/logic/terms/test_fp.py. */
#include <math.h>

#define BINARY(T, name, expression) \
    void name(const T *pa, const T *pb, const T *pc, T *r) { T a = *pa, b = *pb, c = *pc; (void)a, (void)b, (void)c; *r = (expression); }

#define TYPE(T, s, m) \
    BINARY(T, s##_add, a + b) BINARY(T, s##_sub, a - b) BINARY(T, s##_mul, a * b) BINARY(T, s##_div, a / b) \
    BINARY(T, s##_rem, fmod##m(a, b)) BINARY(T, s##_sqrt, sqrt##m(a)) BINARY(T, s##_fma, fma##m(a, b, c)) \
    BINARY(T, s##_floor, floor##m(a)) BINARY(T, s##_ceil, ceil##m(a)) BINARY(T, s##_trunc, trunc##m(a)) \
    BINARY(T, s##_rint, rint##m(a)) BINARY(T, s##_nearbyint, nearbyint##m(a)) BINARY(T, s##_round, round##m(a)) \
    BINARY(T, s##_min, fmin##m(a, b)) BINARY(T, s##_max, fmax##m(a, b)) BINARY(T, s##_remainder, remainder##m(a, b)) \
    BINARY(T, s##_nextafter, nextafter##m(a, b)) \
    BINARY(T, s##_neg, -a) BINARY(T, s##_abs, fabs##m(a)) BINARY(T, s##_copysign, copysign##m(a, b)) \
    void s##_scale(const T *a, int n, T *r) { *r = ldexp##m(*a, n); } \
    void s##_split(const T *a, int *n, T *r) { *r = frexp##m(*a, n); } \
    int s##_compare(const T *pa, const T *pb) { \
        T a = *pa, b = *pb; \
        return (a == b) | (a < b) << 1 | (a <= b) << 2 | (a > b) << 3 | (a >= b) << 4 | (a != b) << 5 | isunordered(a, b) << 6; \
    } \
    void s##_to_float(const T *a, float *r) { *r = (float)*a; } \
    void s##_to_double(const T *a, double *r) { *r = (double)*a; } \
    void s##_to_x86_fp80(const T *a, long double *r) { *r = (long double)*a; } \
    void s##_from_signed(const long long *a, T *r) { *r = (T)*a; } \
    void s##_from_unsigned(const unsigned long long *a, T *r) { *r = (T)*a; } \
    void s##_from_signed_128(const __int128 *a, T *r) { *r = (T)*a; } \
    void s##_from_unsigned_128(const unsigned __int128 *a, T *r) { *r = (T)*a; } \
    void s##_to_signed(const T *a, long long *r) { *r = (long long)*a; } \
    void s##_to_signed_128(const T *a, __int128 *r) { *r = (__int128)*a; }

TYPE(float, float, f)
TYPE(double, double, )
TYPE(long double, x86_fp80, l)
