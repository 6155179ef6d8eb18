/* What searches say of the characters before their place.
   scan: nothing */
#include <string.h>

static void wrong(void) { *(volatile int *)0 = 0; }

void first(const char *s) {
  const char *p = strchr(s, 'x');
  if (p ? *p != 'x' || (s[0] == 'x' && p != s) || (p > s + 1 && s[1] == 'x') || (size_t)(p - s) >= strlen(s)
        : s[0] == 'x' || (s[0] && s[1] == 'x'))
    wrong();
}

void last(const char *s) {
  const char *p = strrchr(s, 'x'), *q = strchr(s, 'x');
  if (p ? *p != 'x' || p[1] == 'x' || q > p : q != 0)
    wrong();
}

void span(const char *s) {
  size_t n = strspn(s, "ab"), m = strcspn(s, "ab");
  if ((n > 0 && s[0] != 'a' && s[0] != 'b') || s[n] == 'a' || (n > 0 && m > 0) || m > strlen(s))
    wrong();
}

void order(const char *a, const char *b) {
  int c = strcmp(a, b);
  if ((c == 0 && (a[0] != b[0] || (a[0] && a[1] != b[1]))) || (c < 0 && (unsigned char)a[0] > (unsigned char)b[0]))
    wrong();
}
