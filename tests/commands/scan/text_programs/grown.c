/* A text of any length moves to a larger block; what is written behind its NUL does not change it.
   scan: nothing */
#include <stdlib.h>
#include <string.h>

static char *grown(char *text) {
  size_t n = strlen(text), room = (n + 16) & ~7ul;
  char *p = realloc(text, room);
  if (!p)
    return 0;
  p[room - 1] = 0;
  if (strlen(p) != n)
    *(volatile int *)0 = 0;
  return strcat(p, "1234567");
}

char *moved(char *text) { return text ? grown(text) : 0; }

char *copied(const char *text) {
  char *copy = strdup(text);
  return copy ? grown(copy) : 0;
}
