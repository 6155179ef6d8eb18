/* The text's own character, or another one, replaces the NUL of a cut copy.
   expect: safe
   options: --function over --lengths measured --merge none --check uninitialised
   native: none (a function that is run alone) */
#include <string.h>

size_t over(const char *text)
{
    char copy[64];
    if (!text || strlen(text) < 10 || strlen(text) > 50)
        return 0;
    strlcpy(copy, text, 5);
    copy[3] = text[3];
    return strlen(copy);
}
