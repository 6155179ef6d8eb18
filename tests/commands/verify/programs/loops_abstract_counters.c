/* Loops that count under conditions, sum and nest, without invariants: what relates their counters is guessed and proved.

   expect: safe
   options: --loops abstract
*/
/*@ requires n >= 0; assigns \nothing; ensures 0 <= \result <= n; */
int count_some(int n, unsigned bits)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (bits >> (i & 31) & 1)
            count++;
    return count;
}

/*@ requires n >= 0; assigns \nothing; ensures \result == n; */
int split(int n, unsigned bits)
{
    int even = 0, odd = 0;
    for (int i = 0; i < n; i++)
        if (bits >> (i & 31) & 1)
            odd++;
        else
            even++;
    return even + odd;
}

/*@ requires n >= 0; assigns \nothing; ensures \result >= 0; */
long sum_of(int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

/*@ requires 0 <= n < 2147483640; assigns \nothing; ensures \result >= n && \result % 8 == 0; */
int round_up(int n)
{
    while (n % 8 != 0)
        n++;
    return n;
}

/*@ requires n >= 0 && most >= 0; assigns \nothing; ensures 0 <= \result <= most; */
int saturate(int n, int most)
{
    int level = 0;
    for (int i = 0; i < n; i++)
        if (level < most)
            level++;
    return level;
}

/*@ requires 0 <= rows <= 1000 && 0 <= columns <= 1000; assigns \nothing; ensures 0 <= \result <= 1000000; */
int cells(int rows, int columns)
{
    int seen = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            seen++;
    return seen;
}
