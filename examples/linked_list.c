/* Takes every node with a given value out of a linked list, and reads the link of a node that it has just freed.

     unfork run examples/linked_list.c    one error (a use after free), exit status 1
     unfork run -D FIXED examples/linked_list.c
                                          no error, exit status 0

   expect: unsafe
   native: asan
*/
#include <stdlib.h>

#include "unfork.h"

#define NODES 3

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);

  if (!node)
    exit(1);
  node->value = value;
  node->next = list;
  return node;
}

static struct node *without(struct node *list, int value) {
  struct node **link = &list;
  struct node *node = list;

  while (node) {
    if (node->value == value) {
      *link = node->next;
      free(node);
#ifdef FIXED
      node = *link;
      continue;
#endif
    } else {
      link = &node->next;
    }
    node = node->next; /* BUG: use-after-free */
  }
  return list;
}

int main(void) {
  struct node *list = NULL;
  int unwanted;

  for (int i = 0; i < NODES; ++i) {
    int value;
    unfork_symbolic(&value, sizeof value, "value");
    list = push(list, value);
  }
  unfork_symbolic(&unwanted, sizeof unwanted, "unwanted");
  list = without(list, unwanted);
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
