/* Loops with contracts, of which something false nearly holds: with each element or result it would, if that were one.

   expect: unsafe
   options: --loops abstract
   open: ensures
*/
/*@ requires n > 0;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \result <= a[n-1]; */
unsigned up_to_each(const unsigned *a, int n)
{
    unsigned x = 0;
    /*@ loop invariant 0 <= i <= n;
        loop assigns i, x; */
    for (int i = 0; i < n; i++)
        if (x < a[i])
            x++;
    return x;
}

/*@ assigns \nothing; ensures \result <= 100; */
unsigned any(int i);

/*@ requires 0 < n < 3; assigns \nothing; ensures \result == 0; */
unsigned up_to_results(int n)
{
    unsigned x = 0;
    /*@ loop invariant 0 <= i <= n;
        loop assigns i, x; */
    for (int i = 0; i < n; i++)
        if (x < any(i))
            x++;
    return x;
}

/*@ requires 0 < n <= 5;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \result <= 1; */
unsigned up_to_written(unsigned *a, int n)
{
    unsigned x = 0;
    /*@ loop invariant 0 <= i <= n;
        loop assigns i, x, a[0 .. n-1]; */
    for (int i = 0; i < n; i++) {
        a[0] = x + 1;
        if (x < a[0])
            x++;
    }
    return x;
}

/*@ requires 0 <= n < 4; assigns \nothing; ensures \result < 3; */
int with_a_jump(int n)
{
    int x = 0, i = 0;
    /*@ loop assigns i, x; */
    while (i < n) {
        x += i == 2 ? 3 : 0;
        i++;
    }
    return x;
}
