/* The buffer has one byte more than the limit.

   report: not reachable
*/
#include <string.h>
enum { LONGEST = 12 };
unsigned sum_of(const char *text)
{
    char name[LONGEST + 1];
    unsigned sum = 0;
    size_t length = strnlen(text, LONGEST);
    memcpy(name, text, length);
    name[length] = '\0';
    for (const char *c = name; *c != '\0'; c++)
        sum += (unsigned char)*c;
    return sum;
}
