/* Oniguruma compiles SIZE arbitrary bytes as a regular expression in Ruby's syntax. */
#include "oniguruma.h"
#include "unfork.h"

#ifndef SIZE
#define SIZE 3
#endif

int main(void) {
  unsigned char pattern[SIZE];
  regex_t *regex;
  OnigErrorInfo why;
  unfork_symbolic(pattern, sizeof pattern, "pattern");
  int status = onig_new(&regex, pattern, pattern + sizeof pattern, ONIG_OPTION_NONE, ONIG_ENCODING_ASCII,
                        ONIG_SYNTAX_RUBY, &why);
  if (status == ONIG_NORMAL) onig_free(regex);
  return 0;
}
