/* A key of eight characters leaves no room for its NUL.
   scan: certain out-of-bounds 15 */
#include <string.h>

int set(const char *line) {
  char key[8];
  const char *found = strchr(line, '=');
  size_t length;
  if (!found)
    return -1;
  length = found - line;
  if (length > sizeof key)
    return -1;
  memcpy(key, line, length);
  key[length] = 0;
  return key[0];
}
