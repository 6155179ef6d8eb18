/* What a loop has printed it cannot read: the buffer of stdout is as before when it has been written.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
#include <stdio.h>

int main(void) {
  int beat = 3;
  for (;;) {
    printf("beat %d of the metronome, which goes on until the power fails\n", beat); /* BUG: nontermination */
    fputs("and another one\n", stdout);
  }
}
