/* A temporary file, and what is behind its end.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *file = tmpfile();
  if (!file) return 1;
  fputc('a', file);
  rewind(file);
  int first = fgetc(file), second = fgetc(file);
  assert(first == 'a');
  assert(second == EOF);
  return 0;
}
