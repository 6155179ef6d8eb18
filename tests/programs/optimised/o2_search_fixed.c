/* expect: safe
   options: --cflags "-O2"
   native: asan */
#include <assert.h>
#include "unfork.h"

static const int sorted[5] = {1, 5, 9, 20, 31};

static int position(int key) {
  int i = 0;
  while (i < 5 && sorted[i] < key) i++;
  return i;
}

int main(void) {
  int key;
  unfork_symbolic(&key, sizeof key, "key");
  int i = position(key);
  assert(i == 5 || sorted[i] >= key);
  return 0;
}
