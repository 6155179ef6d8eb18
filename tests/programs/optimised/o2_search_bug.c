/* expect: unsafe
   options: --cflags "-O2"
   native: asan
   input: key=40 */
#include "unfork.h"

static const int sorted[5] = {1, 5, 9, 20, 31};

static int position(int key) {
  int i = 0;
  while (sorted[i] < key) i++; /* BUG: out-of-bounds */
  return i;
}

int main(void) {
  int key;
  unfork_symbolic(&key, sizeof key, "key");
  return position(key) == 77;
}
