/* Without the check of shifts an oversize shift is no fault; its value is anything.
   expect: safe
   options: --check memory
   native: none (a sanitizer would object) */
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unsigned mask = 1u << n;
  return mask == 3 ? 0 : 0;
}
