/* expect: safe */
/*@ assigns \nothing; ensures \result >= 0; */
int ext(const char *format, ...);
/*@ assigns \nothing; ensures \result >= 0; */
int f(int x) { return ext("%d", x); }
