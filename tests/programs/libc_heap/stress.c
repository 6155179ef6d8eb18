/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *all[64];
  for (int i = 0; i < 64; i++) {
    all[i] = malloc(i + 1);
    memset(all[i], i, i + 1);
  }
  for (int i = 0; i < 64; i += 2) all[i] = realloc(all[i], 2 * i + 3);
  for (int i = 0; i < 64; i++) assert(all[i][0] == i && all[i][i] == i);
  for (int i = 0; i < 64; i++) free(all[i]);
  int *zero = calloc(10, sizeof *zero);
  for (int i = 0; i < 10; i++) assert(zero[i] == 0);
  free(zero);
  void *aligned;
  assert(posix_memalign(&aligned, 64, 100) == 0 && (uintptr_t)aligned % 64 == 0);
  free(aligned);
  char *text = strdup("copy");
  assert(strcmp(text, "copy") == 0);
  free(text);
  return 0;
}
