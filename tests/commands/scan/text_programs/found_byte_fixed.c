/* There is room for the NUL after the key.
   scan: nothing */
#include <string.h>

int before_colon(const char *s) {
  char key[8];
  const char *p = memchr(s, ':', strlen(s));
  if (!p || p - s >= 8)
    return -1;
  memcpy(key, s, p - s);
  key[p - s] = 0;
  return key[0];
}
