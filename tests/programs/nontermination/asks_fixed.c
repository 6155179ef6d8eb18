/* A loop that asks for input at each turn may be left at each turn.
   expect: bounded
   options: --check nontermination --max-depth 16 --search dfs
   native: none (it ends when its input says so) */
#include "unfork.h"

int main(void) {
  while (1) {
    char more;
    unfork_symbolic(&more, 1, "more");
    if (!more)
      return 0;
  }
}
