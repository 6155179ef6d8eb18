/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stddef.h>

struct link { struct link *next; };
struct task { int id; struct link link; };
#define task_of(l) ((struct task *)((char *)(l) - offsetof(struct task, link)))

int main(void) {
  struct task b = {2, {0}}, a = {1, {&b.link}};
  int number = 0;
  for (struct link *l = &a.link; l; l = l->next) number = number * 10 + task_of(l)->id;
  assert(number == 12);
  return 0;
}
