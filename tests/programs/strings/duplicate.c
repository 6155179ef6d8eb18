/* expect: safe
   options: --check leak
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *copy = strdup("original");
  copy[0] = 'O';
  assert(strcmp(copy, "Original") == 0);
  free(copy);
  return 0;
}
