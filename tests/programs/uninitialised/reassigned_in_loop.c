/* A local declared in a loop is uninitialised in every round, in practice one and the same cell.
   expect: safe
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>

int main(void) {
  int last = 0;
  for (int i = 0; i < 3; i++) {
    int cell;
    if (i >= 0) cell = i * 2;
    last = cell;
  }
  assert(last == 4);
  return 0;
}
