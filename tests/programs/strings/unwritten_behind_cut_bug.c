/* Nothing was written behind the NUL of a cut copy.
   expect: unsafe
   options: --function behind --lengths measured --merge none --check uninitialised
   native: none (a function that is run alone) */
#include <string.h>

int behind(size_t k, size_t n, const char *text)
{
    char copy[256];
    if (!text || strlen(text) < 100 || strlen(text) > 200 || n < 10 || n > 20 || k > n || k + 1 < n)
        return 0;
    strlcpy(copy, text, n + 1);
    return memchr(copy + k, 0, 1) == memchr(copy + k, 'x', 3); /* BUG: uninitialised */
}
