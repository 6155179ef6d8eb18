/* scan: likely div-by-zero 12
   A width beyond all ints becomes a negative one, so that no cell is counted; but nobody averages so many. */
int mean_around(const unsigned char *cells, int count, int at, unsigned width)
{
    int sum = 0, seen = 0;
    if (!cells || count != 8 || at < 0 || at >= count)
        return -1;
    for (int i = at - 2; i <= at + 2; i++)
        if (i - at <= (int)width && at - i <= (int)width && i >= 0 && i < count)
            sum += cells[i], seen++;

    return sum / seen;
}
