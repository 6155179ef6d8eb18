/* expect: safe
   A variable that nobody speaks of is as any object, and an array is one whose element nobody knows. */
int counter, table[4], unspoken;
/*@ requires \valid(p) && counter < 1000;
    assigns *p, counter, table[0];
    ensures p != &counter ==> counter == \old(counter) + 1;
    ensures *p == 0 || p == &counter || p == &table[0]; */
void clear(int *p) { *p = 0; counter++; table[0] = 3; }
