/* A callee writes by a parameter that only a condition ties to a variable: that breaks what is promised of the variable.

   expect: unsafe
   says: it is not known where a pointer leads
*/
int x;

/*@ requires p == &x; assigns *p; ensures *p == 2; */
void set_two(int *p) { *p = 2; }

/*@ requires p == &x; assigns x; ensures x == 1; */
void by_parameter(int *p) { x = 1; set_two(p); }
