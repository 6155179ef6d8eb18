/* expect: safe */
/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)); assigns \nothing; ensures \result == 0 || \result == 1; */
int f(const int *a, int n)
{
    //@ ghost int seen = 0;
    int found = 0;
    /*@ loop invariant 0 <= i <= n && seen == i && (found == 0 || found == 1);
        loop assigns i, found, seen;
        loop variant n - i; */
    for (int i = 0; i < n; i++) {
        if (a[i] == 3) found = 1;
        /*@ ghost
          @ seen = seen + 1; */
    }
    //@ assert seen == n;
    return found;
}
