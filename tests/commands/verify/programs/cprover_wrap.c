/* Arithmetic in CBMC's clauses is C's.
   expect: unsafe */
int f(int a, int b)
__CPROVER_requires(1)
__CPROVER_assigns()
__CPROVER_ensures(__CPROVER_return_value == 1)
{ return (unsigned)a + (unsigned)b >= (unsigned)a; }
