/* Conditions on pointers, and what they guard. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "unfork.h"

struct node {
  int value;
  struct node *next;
};

static int length(const struct node *list) {
  int count = 0;
  for (; list; list = list->next)
    count++;
  return count;
}

static int is_sorted(const struct node *list) {
  while (list && list->next && list->value <= list->next->value)
    list = list->next;
  return !list || !list->next;
}

static const struct node *find(const struct node *list, int value) {
  while (list != NULL && !(list->value == value))
    list = list->next;
  return list ? list : NULL;
}

static int value_or(const struct node *node, int other) { return node ? node->value : other; }

int main(void) {
  struct node nodes[3];
  unsigned char given[3];
  unfork_symbolic(given, sizeof given, "given");
  for (size_t i = 0; i < 3; i++) {
    nodes[i].value = given[i];
    nodes[i].next = i + 1 < 3 && given[i] != 9 ? &nodes[i + 1] : NULL;
  }
  const struct node *list = given[0] ? nodes : NULL;
  const struct node *five = find(list, 5);
  int has_five = five != NULL;
  int is_last = five && !five->next;
  if (is_sorted(list) && length(list) > 1)
    return has_five ? is_last ? 1 : 2 : 3;
  return value_or(five, -1) > 0 || (list && value_or(list->next, 0) == 7);
}
