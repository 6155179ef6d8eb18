/* The stack pointer is saved and restored around the scope of a VLA.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  int total = 0;
  for (volatile int n = 1; n <= 4; n++) {
    char text[n];
    for (int i = 0; i < n; i++) text[i] = (char)i;
    total += text[n - 1] + (int)sizeof text;
  }
  assert(total == 0 + 1 + 2 + 3 + 1 + 2 + 3 + 4);
  return 0;
}
