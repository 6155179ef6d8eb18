/* Where the flag is not set, the pointer may lead nowhere without being null.
   expect: unsafe */
/*@ requires flag ==> \valid(p); assigns *p; */
void f(int flag, int *p) { if (p) *p = 1; }
