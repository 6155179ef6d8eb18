/* The same test frees the block and leaves.

   report: not reachable
*/
#include <stdlib.h>
int first_digit(int number)
{
    int is_negative = number < 0;
    char *digits = malloc(12);
    if (digits == NULL)
        return -1;
    digits[0] = (char)('0' + (unsigned)(is_negative ? 0 : number) % 10u);
    if (is_negative)
        free(digits);
    if (number < 0)
        return -2;
    int digit = digits[0] - '0';
    free(digits);
    return digit;
}
