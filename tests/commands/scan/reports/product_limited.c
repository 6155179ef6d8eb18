/* Both numbers are limited before.

   report: not reachable
*/
int cells(int columns, int rows)
{
    if (columns < 0 || rows < 0 || columns > 40000 || rows > 40000)
        return -1;
    if (columns == 40000 && rows == 40000)
        return 1600000000;
    return columns * rows;
}
