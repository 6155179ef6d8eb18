/* Lines of 16 bits: their size wraps for numbers that callers may well have.
   scan: certain out-of-bounds 19 */
#include <stdlib.h>

struct line { int used; };

struct screen { struct line **lines; size_t height; };

int resize(struct screen *s, unsigned height) {
  struct line **lines;
  if (s == NULL || height < 2)
    return 0;
  lines = calloc(1, (unsigned short)(height * sizeof *lines));
  if (lines == NULL)
    return 0;
  s->lines = lines;
  s->height = height;
  for (size_t i = 0; i < height && i < 4; i++)
    lines[i] = NULL;
  return 1;
}
