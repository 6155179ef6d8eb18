/* qsort and bsearch of the C library, on pointers.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  char letter;
  unfork_symbolic(&letter, sizeof letter, "letter");
  if (letter != 'a' && letter != 'z') return 0;
  char own[2] = {letter, 0}, *words[] = {"m", own, "b"}, *wanted = "m";
  qsort(words, 3, sizeof *words, compare);
  assert(words[0][0] <= words[1][0] && words[1][0] <= words[2][0]);
  assert((letter == 'a' ? words[0] : words[2]) == own);
  char **found = bsearch(&wanted, words, 3, sizeof *words, compare);
  assert(found && **found == 'm');
  return 0;
}
