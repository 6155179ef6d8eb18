/* ITERATIONS rounds of integer arithmetic on concrete values: multiplication, division, remainder, shifts, a branch.

   expect: safe
   paths: 1
   native: asan
*/
#include <assert.h>
#include <stdint.h>

#ifndef ITERATIONS
#define ITERATIONS 500000
#endif

static volatile uint32_t seed = 12345;

int main(void) {
  uint32_t state = seed, sum = 0, mixed = 1;

  for (int i = 0; i < ITERATIONS; ++i) {
    state = state * 1664525u + 1013904223u;
    mixed ^= state >> 13;
    mixed += mixed << 5;
    if (mixed & 64)
      sum += state % 1000u;
    else
      sum -= mixed / ((state & 15u) + 1u);
    sum = (sum << 1) | (sum >> 31);
  }
#if ITERATIONS == 500000
  assert(sum == 9568834u);
#endif
  return sum == 0;
}
