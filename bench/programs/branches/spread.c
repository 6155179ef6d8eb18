/* Expressions that are spread over lines. */
#include "unfork.h"

static int is_letter(char c) {
  return (c >= 'a' && c <= 'z')
      || (c >= 'A' && c <= 'Z')
      || c == '_';
}

static int is_date(int year, int month, int day) {
  int is_leap = year % 4 == 0
                && (year % 100 != 0
                    || year % 400 == 0);
  if (month < 1
      || month > 12)
    return 0;
  int days =
      month == 2
          ? is_leap
                ? 29
                : 28
          : month == 4 || month == 6
                ? 30
                : 31;
  return day >= 1 &&
         day <= days;
}

int main(void) {
  int year, month, day;
  char c;
  unfork_symbolic(&year, sizeof year, "year");
  unfork_symbolic(&month, sizeof month, "month");
  unfork_symbolic(&day, sizeof day, "day");
  unfork_symbolic(&c, sizeof c, "c");
  unfork_assume(year > 1900
                && year < 2500);
  int flag = c == 'x' ||
             year == 2000;
  int other = flag
              && month
              && day;
  while (c != '.'
         && c < 'd'
         && c > 'A')
    c++;
  return is_date(year, month, day) ? is_letter(c)
                                   : flag || other;
}
