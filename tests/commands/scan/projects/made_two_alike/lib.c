/* One list is copied to another: both have the same room,
   since all have.

   finds: null-dereference at 31: conditional
   finds: null-dereference at 42: conditional
   finds: out-of-bounds at 42: conditional
*/
#include <stdlib.h>

#include "lib.h"

struct list {
  unsigned room, count;
  int *items;
};

struct list *list_new(void) {
  const unsigned room = 2;
  struct list *list = malloc(sizeof *list);
  int *items = malloc(room * sizeof *items);
  if (!list || !items) abort();
  list->room = room;
  list->count = 0;
  list->items = items;
  return list;
}

int list_add(struct list *list, int item) {
  if (!list) return -1;
  if (list->count >= list->room) return -1;
  list->items[list->count++] = item;
  return 0;
}

void list_copy(struct list *to, const struct list *from) {
  if (!to || !from) return;
  if (to->room > 2) return;
  if (from->room > 2) return;
  if (from->count > from->room) return;
  if (to == from) return;
  for (unsigned at = 0; at < from->count; at++)
    to->items[at] = from->items[at];
  to->count = from->count;
}
