/* The lowest byte of a pointer in a union is written over on some paths; what is there is a pointer on the others.
   expect: unsafe
   native: asan
   input: k=2 c=65 */
#include "unfork.h"

static struct cell {
  unsigned char kind;
  union {
    unsigned char letter;
    const char *word;
  } u;
} cells[2];

static const char words[8] = "abcdefg";

int main(void) {
  unsigned char k, c;
  unfork_symbolic(&k, 1, "k");
  unfork_symbolic(&c, 1, "c");
  unfork_assume(k < 3);
  cells[0].u.word = words;
  if (k == 0) {
    cells[0].kind = 1;
    cells[0].u.letter = c;
  } else if (k == 1) {
    cells[0].u.word = words + 2;
  } else {
    cells[0].kind = 2;
    cells[0].u.word = 0;
    cells[0].u.letter = c | 1;
  }
  if (cells[0].kind == 0) unfork_check(cells[0].u.word[1] == 'd');
  if (cells[0].kind == 1) unfork_check(cells[0].u.letter == c);
  if (cells[0].kind == 2 && cells[0].u.letter > 3)
    unfork_check(*cells[0].u.word); /* BUG: null-dereference */
  return 0;
}
