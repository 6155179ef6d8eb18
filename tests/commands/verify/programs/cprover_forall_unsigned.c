/* expect: unsafe */
void f(unsigned *a, unsigned n)
__CPROVER_requires(n >= 1 && n < 1000 && __CPROVER_is_fresh(a, n * sizeof *a))
__CPROVER_assigns(__CPROVER_object_whole(a))
__CPROVER_ensures(__CPROVER_forall { unsigned i; i < n - 1 ==> a[i] <= a[i + 1] })
{ a[0] = 0; }
