/* Without an allocator of the caller's the function takes another one. It writes the end of the text behind its block.
   scan: conditional null-dereference 12
   scan: certain out-of-bounds 16 */
#include <stdlib.h>
#include <string.h>

struct memory { void *user; void *(*take)(void *user, size_t size); };

char *copied(const struct memory *memory, const char *text) {
  if (text == NULL) return NULL;
  size_t size = strlen(text);
  struct memory own = *memory;
  char *copy = own.take == NULL ? malloc(size) : own.take(own.user, size);
  if (copy == NULL) return NULL;
  memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}
