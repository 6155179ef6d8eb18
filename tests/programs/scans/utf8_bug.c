/* A text and the bytes that are left of it, in step, but for the third byte of a character.
   expect: unsafe
   native: asan
   input: s=hex:e08080e080 */
#include "unfork.h"

static int is_valid(const unsigned char *s, unsigned long left) {
  while (left--) {
    if (*s > 0x7f) {
      int more = *s >> 5 == 6 ? 1 : *s >> 4 == 14 ? 2 : 0;
      if (more == 0) return 0;
      s++;
      if (!left--) return 0;
      if (*s >> 6 != 2) return 0;
      if (more == 2) {
        s++;
        left--;
        if (*s >> 6 != 2) return 0; /* BUG: out-of-bounds */
      }
    }
    s++;
  }
  return 1;
}

int main(void) {
  unsigned char s[5];
  unfork_symbolic(s, sizeof s, "s");
  int valid = is_valid(s, sizeof s);
  if (valid && s[0] > 0x7f) unfork_check(s[1] >> 6 == 2);
  if (valid) unfork_check(s[4] <= 0x7f || s[4] >> 6 == 2);
  if (s[0] < 0x80 && s[1] < 0x80 && s[2] < 0x80 && s[3] < 0x80 && s[4] < 0x80) unfork_check(valid);
  return 0;
}
