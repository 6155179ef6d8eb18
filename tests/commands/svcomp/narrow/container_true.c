/* A struct is found from its member.
   property: unreach-call
   answer: true */
#include <stddef.h>
extern void abort(void);
void reach_error(void) { abort(); }

struct link {
  struct link *next;
};
struct item {
  int v;
  struct link l;
};
int main(void) {
  struct item a = {1}, b = {2};
  a.l.next = &b.l;
  b.l.next = 0;
  int s = 0;
  for (struct link *p = &a.l; p; p = p->next) s += ((struct item *)((char *)p - offsetof(struct item, l)))->v;
  if (s != 3) reach_error();
  return 0;
}
