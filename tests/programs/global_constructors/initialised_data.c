/* Globals of every shape have their initial values; the rest is zero.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int zeros[100];
static const char *names[] = {"one", "two"};
static struct { short a; double d; int *p; } all = {-1, 2.5, &zeros[7]};
static char text[8] = "hi";
static void *self = &self;

int main(void) {
  assert(zeros[0] == 0 && zeros[99] == 0);
  assert(names[1][2] == 'o' && names[0][3] == 0);
  assert(all.a == -1 && all.d == 2.5 && all.p == zeros + 7);
  assert(text[1] == 'i' && text[2] == 0 && text[7] == 0);
  assert(*(void **)self == self);
  return 0;
}
