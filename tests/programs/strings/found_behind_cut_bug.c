/* What was written behind the NUL of a cut copy is there, not what the text has.
   expect: unsafe
   options: --function behind --lengths measured --merge none
   native: none (a function that is run alone) */
#include <stdlib.h>
#include <string.h>

void behind(size_t k, size_t n, const char *text)
{
    if (!text || strlen(text) < 40 || n < 10 || n > 20 || k > n || k + 1 < n)
        return;
    char *copy = strdup(text);
    if (copy) {
        copy[n] = 0;
        copy[n + 1] = 'x';
        if (text[n] == 'y' && text[n + 1] == 'y' && memchr(copy + k, 'x', 3) == copy + n + 1)
            abort(); /* BUG: abort */
    }
    free(copy);
}
