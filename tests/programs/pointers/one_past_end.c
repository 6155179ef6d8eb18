/* Pointing one past the end is fine, reading there is not.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  int values[] = {4, 5, 6}, sum = 0;
  for (int *p = values, *end = values + 3; p != end; p++) sum += *p;
  assert(sum == 15);
  return 0;
}
