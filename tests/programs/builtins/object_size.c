/* expect: safe
   paths: 1
   native: clang */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char buffer[12];
  memset(buffer, 1, sizeof buffer);
  assert(__builtin_object_size(buffer, 0) == 12);
  assert(__builtin_object_size(buffer + 4, 0) == 8);
  char *volatile unknown = buffer;
  unsigned long s = __builtin_object_size(unknown, 0);
  assert(s >= 12);
  assert(__builtin_constant_p(3) && buffer[11] == 1);
  return 0;
}
