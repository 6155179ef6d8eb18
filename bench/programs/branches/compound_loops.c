/* Loops with compound conditions, and jumps out of them. */
#include "unfork.h"

static int first_blank(const char *text, int length) {
  int i = 0;
  while (i < length && text[i] != ' ' && text[i] != '\t')
    i++;
  return i;
}

static int skip(const char *text, int length) {
  int i;
  for (i = length; i > 0 && (text[i - 1] == ' ' || text[i - 1] == '\n'); i--)
    ;
  return i;
}

static int digits(const char *text, int length) {
  int i = 0, count = 0;
  do {
    if (text[i] >= '0' && text[i] <= '9')
      count++;
    else if (text[i] == '-')
      continue;
    i++;
  } while (i < length && !(text[i] == 'x' || text[i] == 'X') && count < 2);
  return count;
}

static int until(const char *text, int length) {
  int i = 0, is_quoted = 0;
  while (!(i >= length || (text[i] == ';' && !is_quoted))) {
    if (text[i] == '"')
      is_quoted = !is_quoted;
    i++;
  }
  for (; i > 0 ? text[i - 1] == ';' : 0;)
    i--;
  return i;
}

int main(void) {
  char text[3];
  unfork_symbolic(text, sizeof text, "text");
  unfork_assume(text[0] != '-' && text[1] != '-' && text[2] != '-');
  int sum = first_blank(text, 3) + skip(text, 3) + digits(text, 3) + until(text, 3);
  for (int i = 0, j = 3; i < j && sum > i; i++, j--)
    sum += i;
  return sum > 6;
}
