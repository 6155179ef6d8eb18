/* More turns than are taken in one step, of two lengths: the loop goes on from one of the places that it may be at then.
   expect: safe
   native: asan */
#include "unfork.h"

static char s[300];

int main(void) {
  for (int i = 0; i < 299; i++)
    s[i] = 'a';
  unfork_symbolic(s, 1, "first");
  unfork_symbolic(s + 255, 2, "others");
  const char *end = s;
  int skipped = 0;
  while (*end != 0) {
    if (*end == '\\') {
      skipped++;
      end++;
    }
    end++;
  }
  unfork_check(end == s + 299 || s[0] == 0 || s[255] == 0 || s[256] == 0);
  unfork_check(skipped <= 2 && (skipped == 0 || s[0] == '\\' || s[255] == '\\' || s[256] == '\\'));
  if (s[255] == '\\' && s[256] == 0) unfork_check(end == s || end == s + 299);
  return 0;
}
