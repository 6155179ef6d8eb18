/* A text of any length goes into a file: all of the copy in the buffer is read.

   expect: safe
   options: --strategy plain --function note --lengths measured --check memory,uninitialised
   paths: 4
*/
#include <stdio.h>

int note(const char *text)
{
    FILE *file = text ? fopen("notes", "w") : 0;
    if (!file)
        return -1;
    fputs(text, file);
    return fclose(file);
}
