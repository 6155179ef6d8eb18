/* A position that is compared with the end of its buffer lies in that buffer: callers see to that.
   scan: nothing */
#include <stdlib.h>

int add(int character, char **position, char **buffer, int *size)
{
    if (*position >= *buffer + *size - 4) {
        char *larger;
        if (*size < 1024)
            *size *= 2;
        else
            *size += 1024;
        larger = realloc(*buffer, *size);
        if (larger == NULL)
            return -1;
        *position = larger + (*position - *buffer);
        *buffer = larger;
    }
    *(*position)++ = character;
    return 0;
}
