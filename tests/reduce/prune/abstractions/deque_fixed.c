/* A queue as a doubly linked list that grows without end: what lies between its ends is folded.
   expect: bounded
   options: --abstract list
   native: none (it never ends) */
#include "unfork.h"
#include <stdlib.h>

struct node {
  struct node *next, *prev;
  int value;
};
static struct node *first, *last;

static void push(int value) {
  struct node *one = malloc(sizeof *one);
  one->value = value;
  one->next = 0;
  one->prev = last;
  if (last)
    last->next = one;
  else
    first = one;
  last = one;
}

static int shift(void) {
  struct node *one = first;
  int value = one->value;
  first = one->next;
  if (first)
    first->prev = 0;
  else
    last = 0;
  free(one);
  return value;
}

int main(void) {
  for (;;) {
    unsigned char what;
    unfork_symbolic(&what, 1, "what");
    if (what == 0)
      return 0;
    if (what == 1) {
      int value;
      unfork_symbolic(&value, sizeof value, "value");
      unfork_assume(value > 0);
      push(value);
    } else if (first) {
      unfork_check(shift() > 0);
      unfork_check(!first || !first->prev);
    }
  }
}
