/* A set of numbers as a sorted, singly linked list. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include "seen.h"

struct node {
  int key;
  struct node *next;
};

struct list {
  struct node *first;
  int size;
};

/* The representation invariant: strictly ascending, and as long as it says. */
static bool is_valid(const struct list *l) {
  int size = 0;
  for (const struct node *n = l->first; n; n = n->next) {
    if (n->next && n->key >= n->next->key)
      return false;
    size++;
  }
  return size == l->size;
}

#define PREDICATES_AT(l, n, wanted) \
  (((n) == 0) | ((n) == (l)->first) << 1 | ((n) && !(n)->next) << 2 | ((n) && (n)->key < (wanted)) << 3 | \
   ((n) && (n)->key == (wanted)) << 4)

void list_add(struct list *l, int key) {
  struct node **at = &l->first;
  SEEN(PREDICATES_AT(l, *at, key));
  while (*at && (*at)->key < key) {
    at = &(*at)->next;
    SEEN(PREDICATES_AT(l, *at, key));
  }
  if (*at && (*at)->key == key)
    return;
  struct node *made = malloc(sizeof *made);
  made->key = key;
  made->next = *at;
  *at = made;
  l->size++;
  assert(is_valid(l));
}

void list_remove(struct list *l, int key) {
  struct node **at = &l->first;
  SEEN(PREDICATES_AT(l, *at, key));
  while (*at && (*at)->key < key) {
    at = &(*at)->next;
    SEEN(PREDICATES_AT(l, *at, key));
  }
  struct node *gone = *at;
  if (!gone || gone->key != key)
    return;
  *at = gone->next;
  free(gone);
  l->size--;
  assert(is_valid(l));
}

bool list_contains(const struct list *l, int key) {
  const struct node *n = l->first;
  SEEN(PREDICATES_AT(l, n, key));
  while (n && n->key < key) {
    n = n->next;
    SEEN(PREDICATES_AT(l, n, key));
  }
  return n && n->key == key;
}
