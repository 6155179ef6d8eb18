/* Bisection for the first of SIZE squares that is not below a key, with indices of eight bits: the sum of two indices
   wraps around above 255, and the middle is no longer between them.

   expect: unsafe
   native: asan
   input: key=30000
*/
#include <assert.h>
#include <stdint.h>

#include "unfork.h"

#ifndef SIZE
#define SIZE 180
#endif

static uint16_t squares[SIZE];

static uint8_t first_not_below(uint16_t key) {
  uint8_t low = 0, high = SIZE;

  while (low < high) {
    uint8_t middle = low + high;
    middle /= 2;
    assert(middle >= low && middle < high); /* BUG: assert */
    if (squares[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int main(void) {
  uint16_t key;

  for (int i = 0; i < SIZE; ++i)
    squares[i] = (uint16_t)(i * i);
  unfork_symbolic(&key, sizeof key, "key");
  uint8_t place = first_not_below(key);
  assert(place == SIZE || squares[place] >= key);
  assert(place == 0 || squares[place - 1] < key);
  return 0;
}
