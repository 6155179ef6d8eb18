/* The error branch frees, and so does the end that it jumps to.

   report: confirmed
*/
#include <stdlib.h>
#include <string.h>
int count_words(const char *text)
{
    int words = 0;
    char *copy = strdup(text);
    if (copy == NULL)
        return -1;
    if (copy[0] == '#') {
        free(copy);
        words = -2;
        goto end;
    }
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        words++;
end:
    free(copy);
    return words;
}
