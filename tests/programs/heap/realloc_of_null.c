/* realloc of null allocates.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *list = 0;
  for (unsigned n = 1; n <= 4; n++) {
    list = realloc(list, n);
    list[n - 1] = (char)('a' + n - 1);
  }
  assert(list[0] == 'a' && list[3] == 'd');
  free(list);
  return 0;
}
