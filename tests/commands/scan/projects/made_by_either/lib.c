/* Either maker of a cursor takes a list. A new list has no item to stand at.

   finds: null-dereference at 41: certain by cursor_item
*/
#include <stdlib.h>

#include "lib.h"

struct list {
  int *item;
};
struct cursor {
  unsigned at;
};

struct list *list_new(void) {
  struct list *list = calloc(1, sizeof *list);
  if (!list) abort();
  return list;
}

void list_add(struct list *self, int item) {
  if (!self || self->item || !(self->item = malloc(sizeof item))) return;
  *self->item = item;
}

struct cursor *cursor_new(struct list *list) {
  return cursor_new_at(list, 0);
}

struct cursor *cursor_new_at(struct list *list, unsigned at) {
  if (!list || at > 2) return NULL;
  struct cursor *cursor = malloc(sizeof *cursor);
  if (!cursor) abort();
  cursor->at = at;
  return cursor;
}

int cursor_item(struct list *list, struct cursor *cursor) {
  if (!list || !cursor) return -1;
  return cursor->at ? -1 : *list->item;
}
