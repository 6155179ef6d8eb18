/* A copy of a text of any length leaves the program.
   expect: safe
   options: --function said --lengths measured --merge none --check uninitialised
   native: none (a function that is run alone) */
#include <string.h>
#include <unistd.h>

int said(const char *name)
{
    char out[64];
    if (!name || strlen(name) > 40)
        return 0;
    strcpy(out, name);
    return write(1, out, strlen(name) + 1);
}
