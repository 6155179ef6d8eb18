/* The pointer is null after it was freed.

   report: not reachable
*/
#include <stdlib.h>
#include <string.h>
size_t trimmed(const char *text)
{
    size_t length = 0;
    char *copy = strdup(text);
    if (copy != NULL && copy[0] == ' ') {
        free(copy);
        copy = NULL;
    }
    if (copy != NULL)
        length = strlen(copy);
    free(copy);
    return length;
}
