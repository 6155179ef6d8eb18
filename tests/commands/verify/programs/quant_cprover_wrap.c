/* In CBMC's clauses, the largest int has no successor that is larger.
   expect: unsafe */
int f(int n) __CPROVER_requires(n >= 1) __CPROVER_assigns() __CPROVER_ensures(__CPROVER_forall { int k; k + 1 > k }) { return 0; }
