/* expect: safe
   paths: 8
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  static void *const labels[] = {&&increment, &&twice};
  unsigned char code[3];
  int value = 0, at = 0;
  unfork_symbolic(code, sizeof code, "code");
next:
  if (at == 3) goto end;
  goto *labels[code[at++] & 1];
increment:
  value++;
  goto next;
twice:
  value *= 2;
  goto next;
end:
  assert(value <= 4);
  return 0;
}
