/* A dynamic exception specification lets an int pass, and ends the program for anything else.
   expect: unsafe
   options: --cflags -std=c++14
   native: none (gcc names the head of the function) */
#include "unfork.h"

static void checked(int x) throw(int) {
  if (x == 1) throw 1;
  if (x == 2) throw 'c'; /* BUG: terminate */
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    checked(x);
  } catch (int) {
    return 0;
  } catch (...) {
    return 0;
  }
  return 0;
}
