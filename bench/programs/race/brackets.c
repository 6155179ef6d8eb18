/* Whether brackets, braces and strings of a text are nested as in JSON, with a stack of DEPTH: a text that is accepted has
   as many that open as that close, and no quotation mark is left open.

   expect: safe
   native: asan
   input: text=hex:5b7b225d227d5d00
*/
#include <assert.h>

#include "unfork.h"

#ifndef LENGTH
#define LENGTH 8
#endif
#define DEPTH 3

static int is_nested(const char *text) {
  char stack[DEPTH];
  int depth = 0, quoted = 0;

  for (; *text != '\0'; ++text) {
    if (quoted) {
      if (*text == '"')
        quoted = 0;
      continue;
    }
    switch (*text) {
    case '"': quoted = 1; break;
    case '[':
    case '{':
      if (depth == DEPTH)
        return 0;
      stack[depth++] = *text == '[' ? ']' : '}';
      break;
    case ']':
    case '}':
      if (depth == 0 || stack[--depth] != *text)
        return 0;
    }
  }
  return depth == 0 && !quoted;
}

int main(void) {
  char text[LENGTH + 1];
  int balance = 0, quotes = 0;

  unfork_symbolic(text, sizeof text, "text");
  text[LENGTH] = '\0';
  if (!is_nested(text))
    return 0;
  for (int i = 0; text[i] != '\0'; ++i) {
    if (text[i] == '"')
      ++quotes;
    else if (quotes % 2 == 0 && (text[i] == '[' || text[i] == '{'))
      ++balance;
    else if (quotes % 2 == 0 && (text[i] == ']' || text[i] == '}'))
      --balance;
    assert(balance >= 0 && balance <= DEPTH);
  }
  assert(balance == 0 && quotes % 2 == 0);
  return 0;
}
