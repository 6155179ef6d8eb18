/* A contract that is not known costs its function and those that call it; what is asserted is proved.
   expect: unknown
   says: unread_contracts.c:12: __CPROVER_foo is not supported
*/
int kept(int x)
__CPROVER_requires(0 < x && x < 100)
__CPROVER_ensures(__CPROVER_return_value == x + 1)
{ int y = x; __CPROVER_assert(y < 100, "small"); return y + 1; }

int unread(int x)
__CPROVER_requires(0 < x && x < 100)
__CPROVER_ensures(__CPROVER_foo(__CPROVER_return_value))
{ return kept(x); }

int caller(int x)
__CPROVER_requires(0 < x && x < 100)
{ return unread(x); }
