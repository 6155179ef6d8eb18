/* The index has three bits.

   report: not reachable
*/
static const char names[8] = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'};
char name_of(unsigned char number)
{
    return names[(number ^ (number >> 4)) & 7];
}
