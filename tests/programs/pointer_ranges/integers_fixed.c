/* Of a range of integers, elements are counted and not bytes.
   expect: safe
   options: --function largest --sizes pair 
   native: none (a function that is run alone) */
#include <assert.h>

int largest(const int *first, const int *last) {
  if (first == last || last - first > 4) return 0;
  int found = *first;
  for (const int *each = first + 1; each < last; each++)
    if (*each > found) found = *each;
  assert(found >= *first && found >= last[-1]);
  return found;
}
