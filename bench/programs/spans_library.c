/* Three spans over LENGTH symbolic characters, by the C library: blanks, a word, blanks.

   expect: safe
   native: asan
*/
#include "unfork.h"
#include <assert.h>
#include <string.h>

#ifndef LENGTH
#define LENGTH 32
#endif

static char text[LENGTH + 1];

int main(void) {
    unfork_symbolic(text, LENGTH, "text");
    const char *word = text + strspn(text, " \t");
    const char *end = word + strcspn(word, " \t");
    const char *rest = end + strspn(end, " \t");
    assert(text <= word && word <= end && end <= rest && rest <= text + LENGTH);
    assert(*rest != ' ' && *rest != '\t');
    return 0;
}
