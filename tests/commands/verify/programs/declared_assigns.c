/* expect: unknown
   open: ensures */
int g, h;
/*@ assigns g; */
void ext(void);
/*@ assigns g; ensures h == \old(h); ensures g == \old(g); */
void f(void) { ext(); }
