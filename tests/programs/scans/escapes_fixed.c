/* How long a quoted text is: a backslash takes the character behind it along, so turns are of two lengths, and escapes are
   counted on the way. The text is the only input, and what the loop says of it is checked one by one.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[7];
  unfork_symbolic(s, 6, "s");
  s[6] = 0;
  const char *end = s;
  unsigned skipped = 0;
  while (*end != 0 && *end != '"') {
    if (*end == '\\') {
      if (end[1] == 0) return 1;
      skipped++;
      end++;
    }
    end++;
  }
  unfork_check(end <= s + 6);
  unfork_check(2 * skipped <= end - s);
  unsigned count = 0, place = 0;
  for (int i = 0; i < 3; i++) {
    if (place < end - s && s[place] == '\\') {
      count++;
      place++;
    }
    place++;
  }
  unfork_check(count <= skipped);
  if (skipped == 3) unfork_check(s[0] == '\\' && s[2] == '\\' && s[4] == '\\' && end == s + 6);
  return 0;
}
