/* A long local array that nobody wrote holds anything.
   expect: unknown
   open: ensures
*/
int read(unsigned k)
__CPROVER_requires(k < 100)
__CPROVER_ensures(__CPROVER_return_value == 0)
__CPROVER_assigns()
{
    int a[100];
    a[99] = 0;
    return a[k];
}
