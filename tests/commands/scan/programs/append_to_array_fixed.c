/* Bytes are appended to an array in a struct, at a place and in a number that callers choose: one path, not one for each
   place. The last of them is read.
   scan: nothing certain */
#include <stddef.h>
#include <string.h>

struct line {
  char text[512];
  unsigned short used;
  int is_open;
};

int append(struct line *l, const char *from, size_t size) {
  if (size > sizeof l->text - 1 || l->used > sizeof l->text - 1 - size)
    return -1;
  memcpy(l->text + l->used, from, size);
  l->used += size;
  if (size > 8 && l->is_open && l->text[0] == '<')
    return from[size - 1] == '>';
  return 0;
}
