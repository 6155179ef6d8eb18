/* One array into another. */
/*@ requires n >= 0;
    requires \valid(to + (0 .. n-1));
    requires \valid_read(from + (0 .. n-1));
    requires \separated(to + (0 .. n-1), from + (0 .. n-1));
    assigns to[0 .. n-1];
    ensures \forall integer k; 0 <= k < n ==> to[k] == \old(from[k]);
*/
void copy(int *to, const int *from, int n)
{
    /*@ loop invariant 0 <= i <= n;
        loop invariant \forall integer k; 0 <= k < i ==> to[k] == from[k];
        loop assigns i, to[0 .. n-1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}
