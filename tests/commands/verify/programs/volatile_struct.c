/* Nor is any part of a struct.
   expect: unknown
   open: ensures */
struct pair { int first, second; };
volatile struct pair v;
/*@ assigns \nothing; ensures \result == 0; */
int f(void) {
  struct pair a = v, b = v;
  return a.second == b.second ? 0 : 1;
}
