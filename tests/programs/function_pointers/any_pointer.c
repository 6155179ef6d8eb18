/* A pointer that may be anything, and is found to be one of two functions.
   expect: safe
   paths: 3
   native: none (what is given would have to be an address) */
#include "unfork.h"

static int called;

static void first(void) { called = 1; }

static void second(void) { called = 2; }

int main(void) {
  void (*function)(void);
  unfork_symbolic(&function, sizeof function, "function");
  if (function != first && function != second) return 0;
  function();
  unfork_check(called == (function == first ? 1 : 2));
  return called;
}
