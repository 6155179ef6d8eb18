/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

struct node {
  struct node *next;
  int key;
};

static void remove_key(struct node **head, int key) {
  for (struct node **at = head; *at; at = &(*at)->next)
    if ((*at)->key == key) {
      *at = (*at)->next;
      return;
    }
}

int main(void) {
  struct node c = {0, 3}, b = {&c, 2}, a = {&b, 1}, *head = &a;
  int which;
  unfork_symbolic(&which, sizeof which, "which");
  remove_key(&head, which ? 1 : 3);
  assert(which ? head == &b && b.next == &c : head == &a && !b.next);
  return 0;
}
