/* What may be assigned depends on conditions: of pointers, of numbers, of several clauses.
   expect: safe
*/
void set(int *p, int *q, int *r, int n)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)) && __CPROVER_is_fresh(q, sizeof(int)))
__CPROVER_requires(r == 0 || __CPROVER_is_fresh(r, sizeof *r))
__CPROVER_assigns(n > 0: *p, *q; n < -5 && n > -100: *q)
__CPROVER_assigns(r != (void *)0: __CPROVER_typed_target(*r))
__CPROVER_ensures(n > 0 ==> *p == 1)
__CPROVER_ensures(n == -6 ==> *p == __CPROVER_old(*p))
{
    if (n > 0)
        *p = 1;
    if (n == -7)
        *q = 2;
    if (r)
        *r = 3;
}

int caller(int n)
__CPROVER_requires(n == 0 || n == 8)
__CPROVER_ensures(n == 0 ==> __CPROVER_return_value == 5)
{
    int a = 5, b = 6;
    set(&a, &b, 0, n);
    return a;
}
