/* The last byte is never overwritten.

   report: not reachable
*/
#include <string.h>
int length_of_code(const char *country)
{
    char code[4] = {0};
    strncpy(code, country, sizeof code - 1);
    return (int)strlen(code);
}
