/* Counters that wrap, that a pointer moves, that a late turn moves: what seems to relate them is false.

   expect: unsafe
   options: --loops abstract
   open: ensures
*/
/*@ requires 0 <= n < 300; assigns \nothing; ensures \result == n; */
int narrow(int n)
{
    unsigned char count = 0;
    for (int i = 0; i < n; i++)
        count++;
    return count;
}

/*@ requires 0 <= n < 100; assigns \nothing; ensures \result <= n; */
int pointed_at(int n, unsigned bits)
{
    int count = 0;
    int *there = &count;
    for (int i = 0; i < n; i++) {
        if (bits >> (i & 31) & 1)
            count++;
        if (i == 50)
            *there = 200;
    }
    return count;
}

/*@ requires n >= 0; assigns \nothing; ensures \result == n; */
int left_early(int n, int where)
{
    int i;
    for (i = 0; i < n; i++)
        if (i == where)
            break;
    return i;
}

/*@ requires 0 <= n <= 1000; assigns \nothing; ensures \result <= 1000; */
unsigned below_zero(int n)
{
    unsigned count = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3)
            count--;
        else if (count)
            count++;
    }
    return count;
}

/*@ requires n >= 0 && most >= 0; assigns \nothing; ensures \result <= most; */
int one_too_many(int n, int most)
{
    int level = 0;
    for (int i = 0; i < n; i++)
        if (level <= most)
            level++;
    return level;
}
