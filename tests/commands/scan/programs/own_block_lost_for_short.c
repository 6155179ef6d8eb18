/* Texts of any length come by the test, but only short ones decide alike: these lose the block.
   scan: certain leak 7 */
#include <stdlib.h>
#include <string.h>

size_t measure(const char *text) {
  char *block = malloc(4);
  size_t length = strlen(text);
  if (length > 1)
    free(block);
  return length;
}
