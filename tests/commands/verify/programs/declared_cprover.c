/* expect: safe */
void fill(int *a, unsigned n, int value)
__CPROVER_requires(n <= 1000 && __CPROVER_w_ok(a, n * sizeof *a))
__CPROVER_assigns(__CPROVER_object_upto(a, n * sizeof *a))
__CPROVER_ensures(__CPROVER_forall { unsigned i; i < n ==> a[i] == value });

int f(int *a, unsigned n)
__CPROVER_requires(1 <= n && n <= 1000 && __CPROVER_is_fresh(a, n * sizeof *a))
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(__CPROVER_return_value == 7)
{
    fill(a, n, 7);
    return a[n - 1];
}
