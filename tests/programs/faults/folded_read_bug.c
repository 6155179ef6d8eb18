/* Reads whose value cannot matter: gcc leaves them out where it folds, even without optimisation, but C evaluates them.
   expect: unsafe
   paths: 15
   native: none (gcc reads nothing) */
#include "unfork.h"

unsigned char bytes[2] = {3, 0};
int numbers[2] = {1, 2}, *nothing;

__attribute__((const)) static int square(int x) { return x * x; }

int main(void) {
  unsigned char x;
  int i = 2, k = 0;
  unfork_symbolic(&x, sizeof x, "x");
  switch (x) {
  case 1: k = (2 | (bytes[i] != 6)) != 0; break; /* BUG: out-of-bounds */
  case 2: k = (2 | (bytes[numbers[i] & 1] != 6)) != 0; break; /* BUG: out-of-bounds */
  case 3: k = bytes[i] || 1; break; /* BUG: out-of-bounds */
  case 4: k = bytes[i] ? 2 : 2; break; /* BUG: out-of-bounds */
  case 5: k = bytes[i] * 0; break; /* BUG: out-of-bounds */
  case 6: k = numbers[i] - numbers[i]; break; /* BUG: out-of-bounds */
  case 7: k = bytes[i] < 256; break; /* BUG: out-of-bounds */
  case 8: k = *nothing & 0; break; /* BUG: null-dereference */
  case 9: k = (numbers[i] & 1) == 2; break; /* BUG: out-of-bounds */
  case 10: k = (numbers[i] | 7) & 3; break; /* BUG: out-of-bounds */
  case 11: k = numbers[i] > 0x7fffffffL; break; /* BUG: out-of-bounds */
  case 12: k = numbers[i] * 2 & 1; break; /* BUG: out-of-bounds */
  case 13: k = numbers[i] * numbers[i] < 0; break; /* BUG: out-of-bounds */
  case 14: k = (2 | (square(numbers[i]) != 6)) != 0; break; /* BUG: out-of-bounds */
  }
  return k & 0;
}
