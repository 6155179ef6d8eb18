/* expect: unsafe */
int g, h;
/*@ behavior one: assumes x > 0; assigns g; ensures g == 1;
  @ behavior two: assumes x <= 0; assigns h; ensures h == 1; */
void k(int x) { if (x > 0) g = 1; else h = 1; }
/*@ requires x <= 0; assigns g, h; ensures h == \old(h); */
void f(int x) { k(x); }
