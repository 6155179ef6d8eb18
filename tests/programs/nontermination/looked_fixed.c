/* A program that looks at addresses may be told by them when to stop: blocks get other ones each time.
   expect: safe
   options: --check nontermination
   native: none (addresses are others natively) */
#include <stdint.h>
#include <stdlib.h>

static int lasts(void) {
  char *p = malloc(1);
  int is_early = ((uintptr_t)p >> 14) % 64 != 63;
  free(p);
  return is_early;
}

int main(void) {
  while (lasts()) {
  }
  return 0;
}
