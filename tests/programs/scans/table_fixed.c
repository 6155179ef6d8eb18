/* Which characters end a scan is told by a table that cannot be written; the same in full.
   expect: safe
   native: asan */
#include "unfork.h"

static const unsigned char ends[127] = {[0] = 1, [','] = 1, [';'] = 1};

int main(void) {
  unsigned char s[4];
  unfork_symbolic(s, 3, "s");
  for (int i = 0; i < 3; i++)
    unfork_assume(s[i] < 127);
  s[3] = 0;
  int i = 0;
  while (!ends[s[i]])
    i++;
  unfork_check(s[i] == 0 || s[i] == ',' || s[i] == ';');
  unfork_check(i < 4);
  return 0;
}
