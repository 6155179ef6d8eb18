/* The text may end in a backslash, behind which a character is skipped. Our own code in the program that shows it
   calls calloc, memcpy and write, which are macros here.
   scan: certain out-of-bounds 15 */
#include <stdlib.h>
#include <string.h>

extern void *(*table_calloc)(size_t, size_t);
#define calloc(count, size) table_calloc(count, size)
#define memcpy(to, from, count) table_calloc(count, (size_t)(to) + (size_t)(from))
#define write none
#define abort() table_calloc(0, 0)

unsigned plain(const char *text) {
  unsigned count = 0;
  for (; *text; text++, count++) {
    if (*text == '\\') text++;
  }
  return count;
}
