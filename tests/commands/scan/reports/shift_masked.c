/* The count is reduced before.

   report: not reachable
*/
unsigned rotated(unsigned value, int count)
{
    unsigned by = (unsigned)count & 31u;
    if (by == 0)
        return value;
    return value << by | value >> (32u - by);
}
