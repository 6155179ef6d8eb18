/* CBMC's clause lists locals, too.
   expect: unsafe
   open: assigns */
int f(int n)
__CPROVER_requires(n >= 0) __CPROVER_ensures(__CPROVER_return_value == n)
{
  int i = 0;
  while (i < n)
  __CPROVER_assigns()
  __CPROVER_loop_invariant(0 <= i && i <= n)
  __CPROVER_decreases(n - i)
  { i++; }
  return i;
}
