/* Three spans over LENGTH symbolic characters, by loops of the program's own: blanks, a word, blanks.

   expect: safe
   native: asan
*/
#include "unfork.h"
#include <assert.h>

#ifndef LENGTH
#define LENGTH 32
#endif

static char text[LENGTH + 1];

int main(void) {
    unfork_symbolic(text, LENGTH, "text");
    const char *word = text;
    while (*word == ' ' || *word == '\t')
        word++;
    const char *end = word;
    while (*end >= 'a' && *end <= 'z')
        end++;
    const char *rest = end;
    while (*rest == ' ' || *rest == '\t')
        rest++;
    assert(text <= word && word <= end && end <= rest && rest <= text + LENGTH);
    assert(*rest != ' ' && *rest != '\t');
    return 0;
}
