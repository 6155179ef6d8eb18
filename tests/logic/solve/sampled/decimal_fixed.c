/* Digits are summed up in long double, as strtold does, and steps are counted with the number, as seq does.
   expect: unknown solver-unknown
   options: --hard sample
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  char text[6];
  unsigned char key;
  unfork_symbolic(text, sizeof text, "text");
  unfork_symbolic(&key, sizeof key, "key");
  long double number = 0, scale = 1;
  for (int i = 0; i < 6; i++) {
    if (text[i] < '0' || text[i] > '9') break;
    number = number * 10 + (text[i] - '0');
    scale *= 10;
  }
  long double fraction = number / scale, sum = 0;
  int steps = 0;
  for (; sum * sum < fraction + 2 && steps < 4; steps++) sum += fraction * sum + 0.37L;
  if (key == 5) assert(steps > 0);
  return 0;
}
