/* A byte before the end of a text is found with memchr, and nothing before it is one.
   scan: certain out-of-bounds 13 */
#include <string.h>

static void wrong(void) { *(volatile int *)0 = 0; }

int before_colon(const char *s) {
  char key[8];
  const char *p = memchr(s, ':', strlen(s));
  if (!p || p - s > 8)
    return -1;
  memcpy(key, s, p - s);
  key[p - s] = 0;
  return key[0];
}

void place(const char *s) {
  size_t n = strlen(s);
  const char *p = memchr(s, ':', n);
  if (p ? *p != ':' || (size_t)(p - s) >= n || (p > s && s[0] == ':') : s[0] == ':')
    wrong();
}
