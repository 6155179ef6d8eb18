/* The search returns -1 if there is none.

   report: confirmed
*/
static const char kinds[4] = {'a', 'b', 'c', 'd'};
static const int prices[4] = {10, 20, 30, 40};
static int position(char kind)
{
    for (int i = 0; i < 4; i++)
        if (kinds[i] == kind)
            return i;
    return -1;
}
int price_of(char kind)
{
    int at = position(kind);
    return prices[at];
}
