/* With NDEBUG there is nothing to fail.
   expect: safe
   options: -D NDEBUG
   native: none (the option is not the native compiler's) */
#include <assert.h>

int main(void) {
  assert(0);
  return 0;
}
