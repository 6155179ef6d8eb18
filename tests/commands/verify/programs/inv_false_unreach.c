/* The loop does not end, and no variant says that it does.
   expect: safe */
/*@ requires n > 0; assigns \nothing; ensures \result == 5; */
int f(int n) { int i = 0;
 /*@ loop invariant i < n; loop assigns i; */
 while (i < n) { if (i < n - 1) i++; }
 return 4; }
