/* The result of realloc replaces the only pointer to the old block.

   report: confirmed
*/
#include <stdlib.h>
#include <string.h>
char *doubled(const char *text)
{
    char *line = malloc(16);
    if (line == NULL)
        return NULL;
    strncpy(line, text, 15);
    line[15] = '\0';
    if (strlen(line) > 7) {
        line = realloc(line, 32);
        if (line == NULL)
            return NULL;
    }
    line[0] = '[';
    return line;
}
