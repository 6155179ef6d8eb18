/* Two functions that print call each other.
   expect: unsafe
   native: none (in which of the two the stack runs out depends on the frames) */
#include <stdio.h>

static void tock(int beat);

static void tick(int beat) {
  printf("tick %d: a line of a good length, so that the buffer of stdout is full before long\n", beat);
  tock(beat);
}

static void tock(int beat) {
  puts("tock: another such line, as long as the one before it was, or even a little longer than that");
  tick(beat); /* BUG: stack-overflow */
}

int main(void) {
  tick(2);
  return 0;
}
