/* A calculator of + - * / % and brackets over single digits, by recursive descent. A division by zero is an error that it
   reports; a remainder by zero is forgotten.

   expect: unsafe
   native: asan
   input: text="7%(2-2)"
*/
#include "unfork.h"

#ifndef LENGTH
#define LENGTH 7
#endif

static const char *next;
static int failed;

static int sum(void);

static int factor(void) {
  int value = 0;

  if (*next >= '0' && *next <= '9')
    return *next++ - '0';
  if (*next == '(') {
    ++next;
    value = sum();
    if (*next == ')') {
      ++next;
      return value;
    }
  }
  failed = 1;
  return value;
}

static int product(void) {
  int value = factor();

  while (!failed && (*next == '*' || *next == '/' || *next == '%')) {
    char operator = *next++;
    int right = factor();
    if (operator == '*')
      value *= right;
    else if (operator == '%')
      value %= right; /* BUG: div-by-zero */
    else if (right == 0)
      failed = 1;
    else
      value /= right;
  }
  return value;
}

static int sum(void) {
  int value = product();

  while (!failed && (*next == '+' || *next == '-')) {
    int sign = *next++ == '+' ? 1 : -1;
    value += sign * product();
  }
  return value;
}

int main(void) {
  char text[LENGTH + 1];
  int value;

  unfork_symbolic(text, sizeof text, "text");
  text[LENGTH] = '\0';
  next = text;
  value = sum();
  return failed || *next != '\0' ? -1 : value;
}
