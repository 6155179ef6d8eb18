/* A copy of more turns than are taken in one step: the rest of it is written as the loop goes on.
   expect: safe
   native: asan */
#include "unfork.h"

static char s[300], copy[300];

int main(void) {
  for (int i = 0; i < 299; i++)
    s[i] = 'a';
  unfork_symbolic(s, 1, "first");
  unfork_symbolic(s + 255, 2, "others");
  int n = 0;
  for (; s[n]; n++)
    copy[n] = s[n] == 'a' ? 'b' : s[n];
  unfork_check(n == 0 || n == 255 || n == 256 || n == 299);
  unfork_check(copy[n] == 0 && (n == 0 || copy[n - 1] != 'a'));
  if (n == 299) unfork_check(copy[256] == (s[256] == 'a' ? 'b' : s[256]) && copy[298] == 'b');
  if (n == 255) unfork_check(copy[256] == 0 && copy[298] == 0 && copy[254] == 'b');
  return 0;
}
