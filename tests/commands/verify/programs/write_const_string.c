/* expect: unsafe */
/*@ requires 0 <= n < 3; assigns \nothing; ensures \result == 0; */
int f(int n) { char s[3]; s[n] = 'a'; return s[n] != 'a' || n == 2; }
