/* A text may hold anything: the search that finds no colon returns null, and its result is used.
   scan: certain null-dereference 22 */
#include <stddef.h>

static const char *find(const char *text)
{
    while (*text) {
        if (*text == ':')
            return text;
        text++;
    }
    return NULL;
}

int value(const char *line)
{
    const char *colon;

    if (!line)
        return 0;
    colon = find(line);
    return colon[0] == ':' ? colon[1] : 0;
}
