/* What strstr finds, and that it is the first.
   scan: nothing */
#include <string.h>

static void wrong(void) { *(volatile int *)0 = 0; }

void place(const char *s) {
  const char *p = strstr(s, "ab");
  if (p ? p[0] != 'a' || p[1] != 'b' || (p > s && s[0] == 'a' && s[1] == 'b') || strlen(p) < 2
        : s[0] == 'a' && s[1] == 'b')
    wrong();
}

char last_of_host(const char *url) {
  char host[8];
  const char *p = strstr(url, "://");
  if (!p || !p[3] || strlen(p + 3) >= sizeof host)
    return 0;
  strcpy(host, p + 3);
  return host[strlen(host) - 1];
}
