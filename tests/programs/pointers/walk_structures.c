/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stddef.h>

struct item { char c; double d; short s[3]; };

int main(void) {
  struct item items[3] = {{'a', 1, {1, 2, 3}}, {'b', 2, {4, 5, 6}}, {'c', 3, {7, 8, 9}}};
  struct item *p = items;
  assert((++p)->s[2] == 6);
  assert((p + 1)->c == 'c' && p[-1].d == 1);
  assert(&items[2] - p == 1 && (char *)&p->s - (char *)p == 16);
  short *s = &p->s[0];
  assert(*(s + 2) == 6 && *(short *)((char *)p + offsetof(struct item, s) + 2) == 5);
  assert(sizeof(struct item) == 24);
  return 0;
}
