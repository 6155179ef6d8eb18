/* expect: unsafe
   open: assigns */
int g, h;
/*@ behavior one: assumes x > 0; assigns g; ensures g == 1;
  @ behavior two: assumes x <= 0; assigns h; ensures h == 1; */
void f(int x) { g = 1; h = 1; }
