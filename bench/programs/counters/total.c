/*@ requires n >= 0 && 0 <= each <= 1000; assigns \nothing; ensures 0 <= \result <= 1000L * n; */
long total(int n, int each)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += each;
    return sum;
}
