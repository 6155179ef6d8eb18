/* What memcpy and its relatives read and write must not overlap.
   expect: unsafe
   native: asan -fno-builtin
   input: kind=0 n=5
   input: kind=1 n=2
   input: kind=2 n=0
   input: kind=3 n=0
   input: kind=4 n=0
   input: kind=5 n=6
   input: kind=6 n=0 */
#include <string.h>
#include "unfork.h"

int main(void) {
  char text[16] = "abcd";
  int kind;
  unsigned n;
  unfork_symbolic(&kind, sizeof kind, "kind");
  unfork_symbolic(&n, sizeof n, "n");
  if (n > 8) return 0;
  switch (kind) {
  case 0: memcpy(text + 4, text, n); break; /* BUG: invalid-call */
  case 1: memcpy(text, text + n, 4); break; /* BUG: invalid-call */
  case 2: strcpy(text + 4, text); break; /* BUG: invalid-call */
  case 3: strcpy(text, text + 2); break; /* BUG: invalid-call */
  case 4: strcat(text, text); break; /* BUG: invalid-call */
  case 5: strncpy(text + 4, text, n); break; /* BUG: invalid-call */
  case 6: strncat(text, text + 1, 9); break; /* BUG: invalid-call */
  }
  return 0;
}
