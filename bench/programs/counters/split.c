/*@ requires n >= 0; assigns \nothing; ensures \result == n; */
int split(int n, unsigned bits)
{
    int even = 0, odd = 0;
    for (int i = 0; i < n; i++) {
        if (bits >> (i & 31) & 1)
            odd++;
        else
            even++;
    }
    return even + odd;
}
