/* A character replaces the NUL that was written at an unknown place, if that is the same.
   expect: safe
   options: --function over --lengths measured --merge none
   native: none (a function that is run alone) */
#include <stdlib.h>
#include <string.h>

void over(unsigned at, const char *text)
{
    if (!text || strlen(text) < 6 || strlen(text) > 8 || at >= strlen(text))
        return;
    char *copy = strdup(text);
    if (copy) {
        copy[at] = 0;
        copy[4] = text[4];
        size_t n = strlen(copy);
        if (n != at && at != 4)
            abort();
    }
    free(copy);
}
