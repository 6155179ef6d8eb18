/* The regular-expression matcher of the KLEE tutorial, written anew. A pattern of SIZE symbolic bytes that nothing
   terminates is matched against "hello": ^ binds the start, $ the end, . is any character, * repeats the character
   before it. The matcher reads past the end of the pattern at two places. (An exhausted pattern counts as no match, as
   in the tutorial: only a pattern that ends in $ can match.)

     unfork run examples/regexp.c         two errors, exit status 1
     unfork run -D SIZE=4 examples/regexp.c

   expect: unsafe
   native: asan
*/
#include "unfork.h"

#ifndef SIZE
#define SIZE 7
#endif

static int matches_here(const char *pattern, const char *text);

/* Does `rest` match after zero or more of `repeated`? */
static int matches_after(char repeated, const char *rest, const char *text) {
  for (;;) {
    if (matches_here(rest, text))
      return 1;
    if (*text == '\0')
      return 0;
    if (*text != repeated && repeated != '.')
      return 0;
    ++text;
  }
}

/* Does the pattern match a beginning of the text? */
static int matches_here(const char *pattern, const char *text) {
  if (pattern[0] == '\0') /* BUG: out-of-bounds */
    return 0;
  if (pattern[1] == '*') /* BUG: out-of-bounds */
    return matches_after(pattern[0], pattern + 2, text);
  if (pattern[0] == '$' && pattern[1] == '\0')
    return *text == '\0';
  if (*text == '\0')
    return 0;
  if (pattern[0] == '.' || pattern[0] == *text)
    return matches_here(pattern + 1, text + 1);
  return 0;
}

/* Does the pattern match somewhere in the text? */
static int matches(const char *pattern, const char *text) {
  if (pattern[0] == '^')
    return matches_here(pattern + 1, text);
  for (;;) {
    if (matches_here(pattern, text))
      return 1;
    if (*text == '\0')
      return 0;
    ++text;
  }
}

int main(void) {
  char pattern[SIZE];

  unfork_symbolic(pattern, sizeof pattern, "pattern");
#ifdef TERMINATED
  pattern[SIZE - 1] = '\0';
#endif
  matches(pattern, "hello");
  return 0;
}
