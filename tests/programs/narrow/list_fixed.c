/* A list on the heap: its nodes hold pointers of four bytes.
   expect: safe
   options: --data-model ILP32 --check leak
   native: none (for 32 bits) */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "unfork.h"

struct node { int value; struct node *next; };
_Static_assert(sizeof(struct node) == 8, "two words of 32 bits");

int main(void) {
  int first;
  unfork_symbolic(&first, sizeof first, "first");
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i ? i : first;
    node->next = head;
    head = node;
  }
  assert(head->value == 2 && head->next->next->value == first && !head->next->next->next);
  printf("%d of %zu bytes\n", head->value, sizeof *head);
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
