/* A length of zero touches nothing.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>

int main(void) {
  char a[2] = {1, 2};
  volatile unsigned long none = 0;
  memcpy(a, a + 2, none);
  memset(a, 9, none);
  memmove(a + 2, a, none);
  assert(memcmp(a, a + 2, none) == 0 && a[0] == 1);
  return 0;
}
