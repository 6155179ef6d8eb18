/* A function of the library's that the program defines itself is the program's, for the library too.
   expect: safe
   paths: 1
   native: none (the system's library is linked in another order) */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static int calls;

int puts(const char *text) {
  calls++;
  return text[0];
}

int printf(const char *restrict format, ...) {
  calls += 10;
  return 0;
}

int main(void) {
  assert(puts("x") == 'x');
  printf("%d", 5);
  assert(calls == 11);
  char text[8];
  assert(snprintf(text, sizeof text, "%d", 5) == 1 && text[0] == '5');
  return 0;
}
