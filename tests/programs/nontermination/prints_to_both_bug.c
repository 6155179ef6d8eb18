/* stderr has no buffer; puts and putchar share that of stdout.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
#include <stdio.h>

int main(void) {
  unsigned char turn = 0;
  do {
    fprintf(stderr, "%d\n", turn); /* BUG: nontermination */
    puts("one line of a good length, so that the buffer is full soon enough for a test; it has 1024 bytes in all");
    turn ^= 1;
  } while (turn < 2);
  return 0;
}
