/* The entry passes its own pointer on, untested.

   finds: null-dereference at 6: conditional by sum_of
*/
#include "lib.h"
static int sum(const int *of) { return (of[0] & 255) + (of[1] & 255); }
int sum_of(const int *numbers, int count) { return count < 2 ? 0 : sum(numbers); }
