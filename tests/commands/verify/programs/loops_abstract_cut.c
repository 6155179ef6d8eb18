/* Loops with contracts that say too little: the limits of counters, and how fast they grow, are found and proved.

   expect: safe
   options: --loops abstract
*/
/*@ requires n >= 0;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n ==> a[k] == value; */
void fill(int *a, int n, int value)
{
    /*@ loop invariant \forall integer k; 0 <= k < i ==> a[k] == value;
        loop assigns i, a[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        a[i] = value;
}

/*@ requires n >= 0;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures 0 <= \result <= n; */
int positives(const int *a, int n)
{
    int count = 0;
    /*@ loop assigns i, count;
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            count++;
    return count;
}

/*@ requires n >= 0; assigns \nothing; ensures 0 <= \result <= n; */
int half(int n);

/*@ requires 0 <= n <= 1000; assigns \nothing; ensures 0 <= \result <= n * 1000; */
int halves(int n)
{
    int sum = 0;
    /*@ loop assigns i, sum; */
    for (int i = 0; i < n; i++)
        sum += half(1000);
    return sum;
}
