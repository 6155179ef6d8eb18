/* What a callee writes by a pointer that only a condition ties to a variable cannot be forgotten.

   expect: unknown
   says: it is not known where a pointer leads
*/
int x;

/*@ assigns \nothing; ensures \result == &x; */
int *get(void);

/*@ assigns *p; */
void set(int *p);

/*@ assigns x; ensures x == 1; */
void by_result(void) { x = 1; set(get()); }
