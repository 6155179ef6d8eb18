/* A line is read into a buffer that may be too small for it and its terminator.
   expect: safe
   options: --libc musl
   args: --sym-stdin 5
   native: none (asks for symbolic input) */
#include <stdio.h>

int main(void) {
  char line[4];
  int length = 0, c;
  while ((c = getchar()) != EOF && c != '\n' && length < (int)sizeof line - 1) line[length++] = (char)c;
  line[length] = 0;
  return line[0] == 'x';
}
