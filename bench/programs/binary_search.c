/* Binary search for a symbolic key among K concrete integers: one path for every number and every gap, 2 K + 1.

   expect: safe
   paths: 17
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef K
#define K 8
#endif

static int numbers[K];

static int place_of(int key) {
  int low = 0, high = K - 1;

  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (numbers[middle] == key)
      return middle;
    if (numbers[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

int main(void) {
  int key;

  for (int i = 0; i < K; ++i)
    numbers[i] = 10 * i;
  unfork_symbolic(&key, sizeof key, "key");
  int place = place_of(key);
  assert(place < 0 || numbers[place] == key);
  return 0;
}
