/* sret: the result is written to the caller's object, even where that is an argument too.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

struct matrix { long cell[2][2]; };

static struct matrix product(struct matrix a, struct matrix b) {
  struct matrix r;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) r.cell[i][j] = a.cell[i][0] * b.cell[0][j] + a.cell[i][1] * b.cell[1][j];
  return r;
}

int main(void) {
  struct matrix m = {{{1, 1}, {1, 0}}};
  struct matrix p = m;
  for (int i = 0; i < 9; i++) p = product(p, m);
  assert(p.cell[0][0] == 89 && p.cell[0][1] == 55 && p.cell[1][1] == 34);
  return 0;
}
