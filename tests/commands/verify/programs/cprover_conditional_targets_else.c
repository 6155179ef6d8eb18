/* What is listed on a condition is written without it.
   expect: unsafe
   open: assigns
*/
void set(int *p, int n)
__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)))
__CPROVER_assigns(n > 0: *p)
{
    if (n >= 0)
        *p = 1;
}
