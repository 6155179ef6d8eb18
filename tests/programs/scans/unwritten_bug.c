/* A scan looks at bytes that nobody wrote.
   expect: unsafe
   options: --check uninitialised
   native: none (gcc's sanitizers do not look for that) */
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, 2, "s");
  s[3] = 0;
  int i = 0;
  while (s[i] != 0) /* BUG: uninitialised */
    i++;
  return i;
}
