/* expect: unsafe
   The counter is not listed, wherever the pointer leads. */
int counter;
/*@ requires \valid(p) && counter < 1000; assigns *p; */
void clear(int *p) { *p = 0; counter++; }
