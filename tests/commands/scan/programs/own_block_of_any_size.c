/* The NUL lies behind the block. A native block of no bytes has room for it, so that the example has some.
   scan: certain out-of-bounds 14 */
#include <stdlib.h>
#include <string.h>

char *repeated(char c, size_t count) {
  if (count > 16)
    return NULL;
  char *text = malloc(count);
  if (text == NULL)
    return NULL;
  memset(text, c, count);

  text[count] = 0;
  return text;
}
