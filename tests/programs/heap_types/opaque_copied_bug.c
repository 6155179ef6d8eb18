/* What is copied from a void pointer to a struct is such a struct, pointers and all.
   expect: unsafe
   options: --function held
   native: none (a function that is run alone) */
#include <string.h>

struct entry { int *value; struct entry *next; };

int held(const void *data) {
  struct entry entry;
  if (!data) return 0;
  memcpy(&entry, data, sizeof entry);
  return entry.next ? 1 : *entry.value; /* BUG: null-dereference */
}
