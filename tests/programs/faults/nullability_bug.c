/* What is declared _Nonnull is checked where the compiler is asked for it.
   expect: unsafe
   options: --cflags "-fsanitize=nullability -Wno-everything"
   native: none (gcc does not know _Nonnull) */
#include "unfork.h"

static int given(char *_Nonnull text) { return text != 0; }
static char *_Nonnull returned(char *text) { return text; } /* BUG: null-dereference */

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 1) return given(0); /* BUG: null-dereference */
  if (x == 2) return returned(0) != 0;
  char *_Nonnull kept = x == 3 ? 0 : "text"; /* BUG: null-dereference */
  return kept[0] == 't' && given(kept) && returned(kept);
}
