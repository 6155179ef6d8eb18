/* A file into which two paths wrote different amounts is read from the beginning: musl keeps its pointers as null or
   within a buffer.
   expect: unsafe
   native: asan
   input: x=1 x=1 */
#include <stdio.h>
#include "unfork.h"

static int in(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  return x & 1;
}

int main(void) {
  FILE *f = tmpfile();
  if (!f) return 1;
  if (in()) fputc('a', f);
  if (in()) fputc('b', f);
  rewind(f);
  int first = fgetc(f), second = fgetc(f), third = fgetc(f);
  unfork_check(first == EOF || third == EOF);
  if (third == EOF) unfork_check(second == EOF); /* BUG: assert */
  return fclose(f);
}
