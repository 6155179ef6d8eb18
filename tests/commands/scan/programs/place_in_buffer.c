/* scan: conditional out-of-bounds 12
   scan: conditional out-of-bounds 23
   scan: certain out-of-bounds 32
   What is written at a number, and behind it, whatever the number is, is not counted by it: it says how far one is. */
#include <stddef.h>

static const char digits[] = "0123456789abcdef";

/* Adds the digits of a byte; tells how many there are then. */
size_t add_digits(char *to, size_t n, unsigned char byte)
{
    to[n++] = digits[byte >> 4];
    if (n & 1)
        to[n++] = digits[byte & 15];
    return n;
}

/* Ends them, and fills the last four. */
size_t end_digits(char *to, size_t n)
{
    while (n & 3)
        to[n++] = '=';
    to[n] = '\0';
    return n;
}

/* Here the number bounds what is written before, so that it counts. */
void set_all(char *to, size_t size, char what)
{
    for (size_t at = 0; at < size; at++)
        to[at] = what;
    to[size] = '\0';
}
