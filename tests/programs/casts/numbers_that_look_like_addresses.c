/* Sets of bits in memory are numbers, whatever the engine's own addresses look like.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>

static int several[4];

int main(void) {
  int *volatile used = several;
  *used = 1;
  for (int i = 0; i < 64; i++)
    for (int j = 0; j <= i; j++) {
      volatile unsigned long set = 1ul << i | 1ul << j;
      unsigned halves[2];
      memcpy(halves, (void *)&set, sizeof set);
      assert(((unsigned long)halves[1] << 32 | halves[0]) == set);
    }
  return 0;
}
