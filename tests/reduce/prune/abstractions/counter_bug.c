/* Numbers of variables do not count but as far as predicates say: what matters of n lets the third turn be seen.
   expect: unsafe
   options: --abstract list --predicate "n >= 2"
   input: go=2 go=2 go=1 */
#include "unfork.h"

int main(void) {
  for (int n = 0;; n++) {
    unsigned char go;
    unfork_symbolic(&go, 1, "go");
    if (!go)
      return 0;
    unfork_check(n < 2 || go != 1); /* BUG: assert */
  }
}
