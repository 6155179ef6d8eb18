/* A pointer into the block is kept while the block moves.

   report: confirmed
*/
#include <stdlib.h>
#include <string.h>
char *bracketed(const char *text)
{
    size_t length = strnlen(text, 20);
    char *line = malloc(length + 1);
    if (line == NULL)
        return NULL;
    memcpy(line, text, length);
    char *end = line + length;
    char *larger = realloc(line, length + 8);
    if (larger == NULL) {
        free(line);
        return NULL;
    }
    *end = '\0';
    return larger;
}
