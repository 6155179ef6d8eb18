/* expect: unknown
   says: passes structs by value */
struct pair { long a, b; };
/*@ assigns \nothing; */
int ext(struct pair p);
/*@ assigns \nothing; */
int f(void) { struct pair p = {1, 2}; return ext(p); }
