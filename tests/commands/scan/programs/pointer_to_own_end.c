/* The end of one's own array is known: a loop that compares with one past it writes there.
   scan: certain out-of-bounds 12 */
int sum(int first)
{
    int weights[4];
    int *each;
    int total = 0;

    if (first < 0)
        return 0;
    for (each = weights; each <= weights + 4; each++)
        *each = first++;
    for (each = weights; each < weights + 4; each++)
        total += *each;
    return total;
}
