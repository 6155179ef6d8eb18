/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int count;
static void first(void) { count = count * 10 + 1; }
static void second(void) { count = count * 10 + 2; }

int main(void) {
  void *hooks[3];
  hooks[0] = (void *)second;
  hooks[1] = (void *)first;
  hooks[2] = 0;
  for (void **h = hooks; *h; h++) ((void (*)(void))*h)();
  assert(count == 21);
  return 0;
}
