/* To clear a number may be its end, after which nobody asks for its digits.
   finds: null-dereference at 32: likely by number_lowest
*/
#include "number.h"
#include <stdlib.h>

struct number *number_new(void)
{
    struct number *number = malloc(sizeof *number);
    if (number == NULL)
        return NULL;
    number->used = 1;
    number->digits = calloc(4, sizeof *number->digits);
    if (number->digits == NULL) {
        free(number);
        return NULL;
    }
    return number;
}

void number_clear(struct number *number)
{
    if (number == NULL)
        return;
    free(number->digits);
    number->digits = NULL;
    number->used = 0;
}

unsigned number_lowest(const struct number *number)
{
    return number == NULL ? 0 : number->digits[0];
}
