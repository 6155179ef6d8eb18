/* A bad character returns before the block is freed.

   report: confirmed
*/
#include <stdlib.h>
#include <string.h>
int checksum(const char *text)
{
    int sum = 0;
    char *digits = malloc(8);
    if (digits == NULL)
        return -1;
    memset(digits, 0, 8);
    for (int i = 0; i < 8 && text[i] != '\0'; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -2;
        digits[i] = text[i];
    }
    for (int i = 0; i < 8; i++)
        sum += digits[i];
    free(digits);
    return sum;
}
