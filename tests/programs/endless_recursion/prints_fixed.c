/* A recursion that prints, and ends by how much that was.
   expect: safe */
#include <stdio.h>

static int written;

static void f(void) {
  written += printf("deeper\n");
  if (written < 7 * 700)
    f();
}

int main(void) {
  f();
  return written != 4900;
}
