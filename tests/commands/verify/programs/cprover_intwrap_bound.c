/* expect: unsafe */
void f(int *a, int n)
__CPROVER_requires(n >= 0 && __CPROVER_is_fresh(a, n * sizeof *a))
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(n == 0 || a[0] == __CPROVER_old(a[0]))
{ if (n > 0) a[0] = 1; }
