/* A text may hold no numbers at all, and only one function asks how many were found.
   scan: certain uninitialised 9
   scan: certain uninitialised 24 */
#include <stdio.h>
int first(const char *line)
{
    int a;
    sscanf(line, "%d", &a);
    if (a > 7) return 1;
    return 0;
}

int checked(const char *line)
{
    int a;
    return sscanf(line, "%d", &a) == 1 ? a < 3 : -1;
}

int second(const char *line)
{
    int a, b;
    if (sscanf(line, "%d,%d", &a, &b) < 1)
        return -1;
    if (a < b) return 1;
    return 0;
}
