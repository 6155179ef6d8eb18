/* The check digit of card numbers (Luhn): LENGTH digits with the right check digit are accepted, and no longer are once
   any one digit is another.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef LENGTH
#define LENGTH 12
#endif

static int luhn(const unsigned char *digits) {
  int sum = 0;

  for (int i = 0; i < LENGTH; ++i) {
    int digit = digits[LENGTH - 1 - i];
    if (i % 2 == 1) {
      digit *= 2;
      if (digit > 9)
        digit -= 9;
    }
    sum += digit;
  }
  return sum % 10;
}

int main(void) {
  unsigned char number[LENGTH], place, digit;

  unfork_symbolic(number, sizeof number, "number");
  unfork_symbolic(&place, 1, "place");
  unfork_symbolic(&digit, 1, "digit");
  for (int i = 0; i < LENGTH; ++i)
    if (number[i] > 9)
      return 0;
  number[LENGTH - 1] = 0;
  number[LENGTH - 1] = (unsigned char)((10 - luhn(number)) % 10);
  assert(luhn(number) == 0);

  if (place >= LENGTH || digit > 9 || digit == number[place])
    return 0;
  number[place] = digit;
  assert(luhn(number) != 0);
  return 0;
}
