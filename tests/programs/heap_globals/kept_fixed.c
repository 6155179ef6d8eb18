/* Constants keep their values, and a variable holds what was written last; the predicate sees the variables as given.
   expect: safe
   paths: 2
   options: --function add --globals symbolic --requires fits
   native: none (a function that is run alone) */
#include "unfork.h"

static const int most = 4;
int values[4], count;

int fits(int value) { return 0 <= count && count <= most && value != count; }

void add(int value) {
  int before = count;
  unfork_check(value != before);
  if (count == most) return;
  values[count++] = value;
  unfork_check(values[before] == value && count <= 4);
}
