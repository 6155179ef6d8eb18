/* Functions of the library that scan.
   expect: safe
   native: asan */
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[6];
  unfork_symbolic(s, 5, "s");
  s[5] = 0;
  const char *word = s + strspn(s, " \t");
  const char *end = word + strcspn(word, " \t");
  size_t length = strlen(s);
  unfork_check(word <= end && end <= s + length && length <= 5);
  unfork_check(s[length] == 0);
  unfork_check(*word != ' ' && *word != '\t');
  unfork_check(strnlen(s, 3) == (length < 3 ? length : 3));
  const char *comma = strchr(s, ','), *last = strrchr(s, ','), *any = strpbrk(s, ";,");
  if (comma) {
    unfork_check(*comma == ',' && *last == ',' && comma <= last);
    unfork_check(any && any <= comma);
  } else {
    unfork_check(!last && !memchr(s, ',', length));
  }
  return 0;
}
