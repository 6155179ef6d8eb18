/* A contract without __CPROVER_assigns assigns nothing.
   expect: unsafe
   open: assigns */
int g;
void h(void) __CPROVER_requires(1) __CPROVER_ensures(1) { g = 1; }
void f(void) __CPROVER_requires(1) __CPROVER_assigns(g) __CPROVER_ensures(g == __CPROVER_old(g)) { h(); g = g; }
