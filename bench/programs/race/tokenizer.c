/* A tokenizer of names, numbers, strings with escapes, comments and operators of one or two characters: tokens follow each
   other without overlap and end within the text.

   expect: safe
   native: asan
   input: text="if(x!=10)"
*/
#include <assert.h>

#include "unfork.h"

#ifndef LENGTH
#define LENGTH 8
#endif

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* The end of the token that starts at `at`, or -1 if it has none. */
static int end_of_token(const char *text, int at) {
  char first = text[at++];

  if (is_letter(first)) {
    while (is_letter(text[at]) || is_digit(text[at]))
      ++at;
  } else if (is_digit(first)) {
    while (is_digit(text[at]))
      ++at;
  } else if (first == '"') {
    for (; text[at] != '"'; ++at)
      if (text[at] == '\0' || (text[at] == '\\' && text[++at] == '\0'))
        return -1;
    ++at;
  } else if (first == '/' && text[at] == '/') {
    while (text[at] != '\0' && text[at] != '\n')
      ++at;
  } else if ((first == '=' || first == '!' || first == '<' || first == '>') && text[at] == '=') {
    ++at;
  }
  return at;
}

int main(void) {
  char text[LENGTH + 1];
  int at = 0, tokens = 0;

  unfork_symbolic(text, sizeof text, "text");
  text[LENGTH] = '\0';
  while (text[at] != '\0') {
    if (text[at] == ' ' || text[at] == '\n') {
      ++at;
      continue;
    }
    int end = end_of_token(text, at);
    if (end < 0)
      return 0;
    assert(end > at && end <= LENGTH);
    at = end;
    ++tokens;
  }
  assert(tokens <= at);
  return 0;
}
