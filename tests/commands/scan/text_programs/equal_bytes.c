/* Equal bytes up to a length are equal texts up to there.
   scan: nothing */
#include <string.h>

int begins_with(const char *text, const char *head) {
  size_t n = strlen(head);
  if (strlen(text) < n || memcmp(text, head, n) != 0)
    return 0;
  if (n && text[0] != head[0])
    *(volatile int *)0 = 0;
  return 1;
}
