/* A temporary file, and what is behind its end. /tmp can be written to wherever the test runs.
   expect: unsafe
   paths: 1
   native: asan
   input: */
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *file = tmpfile();
  if (!file) return 1;
  fputc('a', file);
  rewind(file);
  int first = fgetc(file), second = fgetc(file);
  assert(first == 'a');
  assert(second != EOF); /* BUG: assert */
  return 0;
}
