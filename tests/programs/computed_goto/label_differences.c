/* The position-independent form: differences of labels.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int step(int which) {
  static const int offsets[] = {&&a - &&a, &&b - &&a, &&c - &&a};
  goto *(&&a + offsets[which]);
a:
  return 10;
b:
  return 20;
c:
  return 30;
}

int main(void) {
  volatile int one = 1;
  assert(step(one - 1) == 10 && step(one) == 20 && step(one + 1) == 30);
  return 0;
}
