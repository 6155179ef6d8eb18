/* Nested loops over a matrix of any number of rows: all elements become one value. */
enum { COLUMNS = 8 };
/*@ requires 0 <= rows <= 1000000;
    requires \valid(m + (0 .. rows * 8 - 1));
    assigns m[0 .. rows * 8 - 1];
    ensures \forall integer k; 0 <= k < rows * 8 ==> m[k] == value;
*/
void matrix_fill(int *m, int rows, int value)
{
    /*@ loop invariant 0 <= i <= rows;
        loop invariant \forall integer k; 0 <= k < i * 8 ==> m[k] == value;
        loop assigns i, m[0 .. rows * 8 - 1];
        loop variant rows - i;
    */
    for (int i = 0; i < rows; i++) {
        /*@ loop invariant 0 <= j <= 8;
            loop invariant \forall integer k; 0 <= k < i * 8 + j ==> m[k] == value;
            loop assigns j, m[0 .. rows * 8 - 1];
            loop variant 8 - j;
        */
        for (int j = 0; j < COLUMNS; j++)
            m[i * COLUMNS + j] = value;
    }
}
