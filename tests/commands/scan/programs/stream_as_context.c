/* A context that leads to anything is a stream where the code casts it to one. Five bytes and more go into four.
   scan: certain out-of-bounds 16 */
#include <stdio.h>
#include <string.h>

static size_t get(void *context, char *data, size_t size) {
  return fread(data, 1, size, (FILE *)context);
}

int header(void *context) {
  char name[8], copy[4];
  if (!context || get(context, name, 8) != 8)
    return -1;
  if (memchr(name, 0, 8) == NULL)
    return -1;
  strcpy(copy, name);
  return copy[0];
}
