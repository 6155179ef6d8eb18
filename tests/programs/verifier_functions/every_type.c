/* Each nondet function gives a value of its type.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
extern bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);

int main(void) {
  bool b = __VERIFIER_nondet_bool();
  assert((int)b <= 1);
  int c = __VERIFIER_nondet_char(), u = __VERIFIER_nondet_uchar();
  assert(c >= -128);
  assert(c <= 127);
  assert(u >= 0);
  int s = __VERIFIER_nondet_short(), t = __VERIFIER_nondet_ushort();
  assert(s + t >= -32768);
  assert(s + t <= 98302);
  unsigned long w = __VERIFIER_nondet_ulong(), z = __VERIFIER_nondet_size_t();
  assert((w ^ z ^ w) == z);
  long l = __VERIFIER_nondet_long();
  assert((unsigned long)l + __VERIFIER_nondet_ulonglong() * 0 == (unsigned long)l);
  float f = __VERIFIER_nondet_float();
  double d = __VERIFIER_nondet_double();
  assert(!(f < f));
  assert(!(d < d));
  unsigned __int128 q = __VERIFIER_nondet_uint128();
  assert((q | q >> 64) >= q);
  return 0;
}
