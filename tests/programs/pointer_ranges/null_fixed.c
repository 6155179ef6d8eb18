/* Without a pointer there is no end: both are null.
   expect: safe
   options: --function length --sizes pair 
   native: none (a function that is run alone) */
#include <assert.h>

long length(const char *begin, const char *end) {
  if (!begin) assert(!end);
  return end - begin;
}
