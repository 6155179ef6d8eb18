/* Each round's block stays until the function returns.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 5; i++) {
    struct node *n = __builtin_alloca(sizeof *n);
    n->next = list;
    n->value = i;
    list = n;
  }
  int number = 0;
  for (; list; list = list->next) number = number * 10 + list->value;
  assert(number == 43210);
  return 0;
}
