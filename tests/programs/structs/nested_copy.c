/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

struct inner { short s; char tag[3]; };
struct outer { struct inner first, second[2]; long id; };

int main(void) {
  struct outer a = {{1, "ab"}, {{2, "cd"}, {3, "ef"}}, 99};
  short s;
  unfork_symbolic(&s, sizeof s, "s");
  a.second[1].s = s;
  struct outer b = a;
  a.second[1].s = 0;
  a.second[0] = b.second[1];
  assert(b.second[1].s == s);
  assert(a.second[0].s == s);
  assert(a.second[0].tag[0] == 'e' && a.second[1].tag[1] == 'f' && b.id == 99);
  return 0;
}
