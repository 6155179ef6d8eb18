/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define IS(wanted, ...) (snprintf(text, sizeof text, __VA_ARGS__), assert(strcmp(text, wanted) == 0))

int main(void) {
  char text[128];
  int count;
  IS("42 -7 0x2a 052 4294967295", "%d %i %#x %#o %u", 42, -7, 42, 42, -1);
  IS("  +5|00005|5    |", "%+4d|%05d|%-5d|", 5, 5, 5);
  IS("-9223372036854775808 18446744073709551615", "%lld %llu", -9223372036854775807LL - 1, -1ULL);
  IS("abc|  abc|abc  |ab", "%s|%5s|%-5s|%.2s", "abc", "abc", "abc", "abc");
  IS("1.500000 1.5e+00 1.5 0x1.8p+0", "%f %.1e %g %a", 1.5, 1.5, 1.5, 1.5);
  IS("0.1000000000000000055511151231257827", "%.34f", 0.1);
  IS("123456789012345683968.00 inf -nan", "%.2f %f %s", 123456789012345680000.0, INFINITY, "-nan");
  IS("3.14159265358979324", "%.17Lf", 3.14159265358979323846L);
  IS("c%", "%c%%", 'c');
  snprintf(text, sizeof text, "four%n", &count);
  assert(count == 4);
  assert(snprintf(text, 4, "truncated") == 9 && strcmp(text, "tru") == 0);
  assert(snprintf(0, 0, "%*d", 12, 3) == 12);
  IS("b a", "%2$s %1$s", "a", "b");
  return 0;
}
