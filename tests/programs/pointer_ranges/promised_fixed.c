/* The beginning of a range is declared not to be null, and so its end is not either.
   expect: safe
   options: --function first --sizes pair
   native: none (a function that is run alone) */
#include <assert.h>

__attribute__((nonnull(1))) int first(const char *begin, const char *end) {
  assert(end);
  return begin < end ? *begin : -1;
}
