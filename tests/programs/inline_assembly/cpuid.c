/* The modelled processor has SSE2 and no more.
   expect: safe
   paths: 1
   native: none (the result depends on the machine) */
#include <assert.h>
#include <cpuid.h>

int main(void) {
  unsigned a = 1, b, c = 0, d;
  __asm__ volatile("cpuid" : "=d"(d), "=b"(b), "+a"(a), "+c"(c));
  assert(d & bit_SSE2);
  assert(__get_cpuid(1, &a, &b, &c, &d) && (d & bit_SSE2) && !(c & bit_AVX));
  assert(!__get_cpuid_count(7, 0, &a, &b, &c, &d));
  return 0;
}
