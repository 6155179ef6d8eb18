/* malloc gives distinct, non-null blocks.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *blocks[5];
  for (int i = 0; i < 5; i++) {
    blocks[i] = malloc(4);
    assert(blocks[i]);
    blocks[i][0] = (char)i;
    for (int j = 0; j < i; j++) assert(blocks[i] != blocks[j] && blocks[j][0] == j);
  }
  for (int i = 0; i < 5; i++) free(blocks[i]);
  return 0;
}
