/* The text before the first '=' may be empty.
   scan: certain out-of-bounds 13 */
#include <stdlib.h>
#include <string.h>

char last_of_key(const char *line) {
  char *copy = strdup(line), *end, last;
  if (!copy)
    return 0;
  end = strchr(copy, '=');
  if (end)
    *end = 0;
  last = copy[strlen(copy) - 1];
  free(copy);
  return last;
}
