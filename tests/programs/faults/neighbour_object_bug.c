/* The distance between two objects is not a way from one to the other.
   expect: unsafe
   native: none (natively the sum is the other object) */
#include <stdint.h>

int main(void) {
  int a[4] = {1}, b[4] = {2};
  volatile intptr_t distance = 64;
  int *p = (int *)((char *)a + distance);
  b[0] = 3;
  return *p == b[0]; /* BUG: out-of-bounds */
}
