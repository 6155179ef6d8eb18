/* expect: unsafe
   The pointer may lead to the counter. */
int counter;
/*@ requires \valid(p) && counter < 1000;
    assigns *p, counter;
    ensures counter == \old(counter) + 1; */
void clear(int *p) { *p = 0; counter++; }
