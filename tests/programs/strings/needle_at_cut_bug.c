/* A copy is cut inside of what is searched: the text goes on behind it.
   expect: unsafe
   options: --function at_cut --lengths measured --merge none
   native: none (a function that is run alone) */
#include <stdlib.h>
#include <string.h>

void at_cut(size_t n, const char *text)
{
    if (!text || n < 2 || n >= strlen(text))
        return;
    char *copy = strdup(text);
    if (copy) {
        copy[n] = 0;
        if (!strstr(copy, "ab") && text[n - 1] == 'a' && text[n] == 'b')
            abort(); /* BUG: abort */
    }
    free(copy);
}
