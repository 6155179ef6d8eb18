/* expect: unsafe */
int f(int n)
__CPROVER_requires(n >= 0)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == n)
{ int i = 0;
  while (i < n)
  __CPROVER_assigns(i)
  __CPROVER_loop_invariant(i >= 0)
  { i += 2; }
  return i; }
