/* A sorted set as a list: taking out the first of several elements loses the rest.
   expect: unsafe
   options: --function set_new --calls set_add,set_remove,set_check --max-calls 4
   native: none (a function that is run alone) */
#include <stdbool.h>
#include <stdlib.h>
#include "unfork.h"

struct node { short key; struct node *next; };
struct set { struct node *first; int size; };

struct set *set_new(void) { return calloc(1, sizeof(struct set)); }

void set_add(struct set *s, short key) {
  struct node **at = &s->first;
  while (*at && (*at)->key < key) at = &(*at)->next;
  if (*at && (*at)->key == key) return;
  struct node *made = malloc(sizeof *made);
  made->key = key;
  made->next = *at;
  *at = made;
  s->size++;
}

void set_remove(struct set *s, short key) {
  struct node *n = s->first;
  if (n && n->key == key) {
    s->first = NULL; /* should be n->next */
    s->size--;
    free(n);
  }
}

bool set_check(struct set *s) {
  int count = 0;
  for (struct node *n = s->first; n; n = n->next) count++;
  unfork_check(count == s->size); /* BUG: assert */
  return true;
}
