/* A larger block has no more of a text than there was.
   expect: unsafe
   options: --function moved --lengths measured --merge none --check uninitialised
   native: none (a function that is run alone) */
#include <stdlib.h>
#include <string.h>

int moved(char *text)
{
    if (!text || strlen(text) >= 10)
        return 0;
    char *p = realloc(text, 64);
    int is_set = 0;
    if (p) {
        is_set = strlen(p) > 8;
        if (p[63]) /* BUG: uninitialised */
            is_set = 1;
    }
    free(p);
    return is_set;
}
