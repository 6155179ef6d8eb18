/* A negative number passes the test, and fails in a shift; where that is right, in an access.

   scan: likely shift 13
   scan: likely out-of-bounds 13
*/
static long digits[4];

int set_bit(int bit)
{
    int digit = bit / 60;
    if (digit > 3)
        return -1;
    digits[digit] = 1L << (bit % 60);
    return digit;
}
