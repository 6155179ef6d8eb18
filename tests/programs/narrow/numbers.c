/* Numbers of 64 bits, and reading of numbers that a long of 32 bits cannot hold.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  long long x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x < 1 || x > 3) return 0;
  long long big = x << 33;
  assert(big / x == 1LL << 33 && (unsigned long)(big >> 32) == 2 * (unsigned long)x && (long)big == 0);
  double d = (double)big;
  assert((long long)d == big && big % 7 == (x * (8589934592LL % 7)) % 7);
  char text[] = "3000000000,12;-5", *end, *state;
  errno = 0;
  assert(strtol(text, &end, 10) == LONG_MAX && errno == ERANGE && *end == ',');
  assert(strtoul(text, &end, 10) == 3000000000u && strtoll(text, NULL, 10) == 3000000000LL);
  assert(!strcmp(strtok_r(text, ",;", &state), "3000000000") && atoi(strtok_r(NULL, ",;", &state)) == 12);
  assert(atol(state) == -5 && labs(atol(state)) == 5);
  return 0;
}
