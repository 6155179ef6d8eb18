/* So has a block of which bytes at unknown places were written before.
   expect: safe
   options: --function moved --lengths measured --merge none --check uninitialised
   native: none (a function that is run alone) */
#include <stdlib.h>
#include <string.h>

int moved(char *text, unsigned at)
{
    if (!text || strlen(text) >= 10 || at >= strlen(text))
        return 0;
    text[at] = 'x';
    char *p = realloc(text, 64);
    int is_set = 0;
    if (p) {
        if (p[at] != 'x')
            is_set = 1 / (at - at);
    }
    free(p);
    return is_set;
}
