/* Two phis that read each other must be assigned at once.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int alternate(int rounds) {
  int a = 1, b = 2;
  for (int i = 0; i < rounds; i++) {
    int t = a;
    a = b;
    b = t;
  }
  return a * 10 + b;
}

static int fibonacci(int n) {
  int a = 0, b = 1;
  while (n-- > 0) {
    int next = a + b;
    a = b;
    b = next;
  }
  return a;
}

int main(void) {
  volatile int five = 5;
  assert(alternate(five) == 21);
  assert(alternate(five + 1) == 12);
  assert(fibonacci(five * 2) == 55);
  return 0;
}
