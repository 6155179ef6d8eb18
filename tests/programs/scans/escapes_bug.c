/* A backslash takes the character behind it along, and nobody looks whether that is the end of the text.
   expect: unsafe
   native: asan
   input: s=hex:202020205c */
#include "unfork.h"

int main(void) {
  char s[6];
  unfork_symbolic(s, 5, "s");
  s[5] = 0;
  const char *end = s;
  unsigned skipped = 0;
  while (*end != 0 && *end != '"') { /* BUG: out-of-bounds */
    if (*end == '\\') {
      skipped++;
      end++;
    }
    end++;
  }
  unfork_check(skipped <= 2);
  return 0;
}
