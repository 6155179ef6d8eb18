/* atoi of what does not fit into an int is undefined (C11 7.22.1), and so are atol and atoll of what does not fit there.
   The first digits are known, so that few paths are left.
   expect: unsafe
   options: --check overflow --sym-arg 10
   native: none (no sanitizer sees it) */
#include <stdlib.h>
#include "unfork.h"

int main(int count, char **words) {
  for (int i = 0; i < 6; i++) unfork_assume(words[1][i] == "214748"[i]);
  return atoi(words[1]) == 7; /* BUG: overflow */
}
