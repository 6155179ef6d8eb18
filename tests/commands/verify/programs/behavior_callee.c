/* expect: unsafe */
int g, h;
/*@ assigns g, h; behavior one: assumes x > 0; ensures g == 1;
  @ behavior two: assumes x <= 0; ensures h == 1; */
void k(int x) { if (x > 0) g = 1; else h = 1; }
/*@ assigns g, h; ensures g == 1 && h == 1; */
void f(int x) { k(x); }
