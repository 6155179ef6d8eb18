/* A line is read into a buffer that may be too small for it and its terminator.
   expect: unsafe
   options: --libc musl
   args: --sym-stdin 5
   native: none (asks for symbolic input) */
#include <stdio.h>

int main(void) {
  char line[4];
  int length = 0, c;
  while ((c = getchar()) != EOF && c != '\n' && length < 8) line[length++] = (char)c; /* BUG: out-of-bounds */
  line[length] = 0; /* BUG: out-of-bounds */
  return line[0] == 'x';
}
