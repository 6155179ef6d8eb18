/* The callee sets the number whenever it returns 0.

   report: not reachable
*/
static int digit(char c, int *value)
{
    if (c < '0' || c > '9')
        return -1;
    *value = c - '0';
    return 0;
}
int two_digits(const char text[static 2])
{
    int tens, ones;
    if (digit(text[0], &tens) != 0 || digit(text[1], &ones) != 0)
        return -1;
    int number = 10 * tens + ones;
    return number;
}
