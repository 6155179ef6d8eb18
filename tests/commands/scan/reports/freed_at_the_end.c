/* Each way out goes by the label that frees.

   report: not reachable
*/
#include <stdlib.h>
#include <string.h>
int same_after_sort(const char *text)
{
    int result = -1;
    char *second = NULL;
    char *first = malloc(4);
    if (first == NULL)
        goto end;
    second = malloc(4);
    if (second == NULL)
        goto end;
    memcpy(first, "abc", 4);
    strncpy(second, text, 3);
    second[3] = '\0';
    if (second[0] == '\0') {
        result = 0;
        goto end;
    }
    result = strcmp(first, second) == 0;
end:
    free(second);
    free(first);
    return result;
}
