/* Two texts are compared further than an object may reach: paths that would go on there are left out.
   expect: bounded
   options: --function same --max-size 3
   native: none (a function that is run alone) */
#include <string.h>

int same(const char *text, const char *other) { return text && other && strncmp(text, other, 2147483647) == 0; }
