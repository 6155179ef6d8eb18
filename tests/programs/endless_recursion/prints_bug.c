/* What each call prints is seen by none of the others; the buffer of stdout is as before when it has been written.
   expect: unsafe
   native: asan */
#include <stdio.h>

void f(int depth) {
  printf("we are %d deep, all of us, every time that one of us is asked how deep we are\n", depth);
  f(depth); /* BUG: stack-overflow */
}

int main(void) {
  f(7);
  return 0;
}
