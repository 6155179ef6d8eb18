/*@ requires 0 <= rows <= 1000 && 0 <= columns <= 1000; assigns \nothing; ensures 0 <= \result <= 1000000; */
int cells(int rows, int columns)
{
    int seen = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            seen++;
    return seen;
}
