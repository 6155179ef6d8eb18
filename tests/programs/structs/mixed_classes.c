/* Integer and floating eightbytes in one structure.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

struct mixed { double d; int i; };
struct floats { float a, b, c; };
struct bytes { char c[3]; };

static struct mixed twice(struct mixed m) { return (struct mixed){m.d * 2, m.i * 2}; }
static struct floats rotate(struct floats f) { return (struct floats){f.b, f.c, f.a}; }
static struct bytes reverse(struct bytes b) { return (struct bytes){{b.c[2], b.c[1], b.c[0]}}; }

int main(void) {
  struct mixed m = twice((struct mixed){1.25, 21});
  assert(m.d == 2.5 && m.i == 42);
  struct floats f = rotate((struct floats){1, 2, 3});
  assert(f.a == 2 && f.b == 3 && f.c == 1);
  struct bytes b = reverse((struct bytes){"abc"});
  assert(b.c[0] == 'c' && b.c[1] == 'b' && b.c[2] == 'a');
  return 0;
}
