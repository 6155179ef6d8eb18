/* Where the condition holds, a call may change what is listed.
   expect: unsafe
   open: ensures
*/
void set(int *p, int n)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)))
__CPROVER_assigns(n > 0: *p)
{
    if (n > 0)
        *p = 1;
}

int caller(int n)
__CPROVER_ensures(__CPROVER_return_value == 5)
{
    int a = 5;
    set(&a, n);
    return a;
}
