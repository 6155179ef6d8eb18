/* What a data model and its layouts decide, as one number: widths, structs, bit-fields, unions, arrays, pointers. */
typedef unsigned char u8; 
struct A { char a; short b; int c; char d[3]; }; struct B { struct A x[3]; unsigned f:5, g:9; signed h:7; char t; };
union U { int i; unsigned char b[4]; short s[2]; };
static struct B gb; static int grid[3][5]; static long long big[4]; static double dd[3];
static unsigned mix(unsigned h, unsigned x) { h ^= x + 0x9e3779b9u + (h << 6) + (h >> 2); return h; }
static unsigned sum(struct B *b) { unsigned h = 0; for (unsigned long i = 0; i < sizeof b->x / sizeof b->x[0]; i++) h = mix(h, b->x[i].b * 7 + b->x[i].d[i]); return mix(h, b->f + b->g * 3 + b->h); }
static struct A twice(struct A a) { a.b *= 2; a.c = -a.c; return a; }
static int (*op)(int, int); static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return a * b; }
int main(void) {
  unsigned h = 1; long l = 2147483000L; unsigned long ul = 4000000000UL; long long ll = 5000000000LL;
  h = mix(h, sizeof(long)); h = mix(h, sizeof(void *)); h = mix(h, sizeof(struct B)); h = mix(h, sizeof(long double)); h = mix(h, _Alignof(long long)); h = mix(h, sizeof(struct { char c; }));
  ul = ul * 3 + l; h = mix(h, ul); l = (long)(ll >> 3); h = mix(h, l); h = mix(h, (unsigned)(ll & 0xffff));
  h = mix(h, (-1L < 1U)); h = mix(h, (-1LL < 1U)); h = mix(h, (ul + ll) >> 7);
  for (int i = 0; i < 3; i++) { gb.x[i].a = i; gb.x[i].b = i * 300 - 299; gb.x[i].c = i * 77777; for (int k = 0; k < 3; k++) gb.x[i].d[k] = i * k - 1; }
  gb.f = 13; gb.g = 488; gb.h = -58; h = mix(h, sum(&gb));
  struct A t = twice(gb.x[2]); h = mix(h, t.b); h = mix(h, t.c);
  union U u; u.i = 0x12345678; h = mix(h, u.b[1]); u.s[1] = -2; h = mix(h, u.i);
  int *p = &grid[0][0]; for (int i = 0; i < 15; i++) { *p++ = i * i; } for (p = &grid[2][0]; p != &grid[0][3]; p--) h = mix(h, *p);
  for (int i = 0; i < 4; i++) { big[i] = (1LL << (i * 15)) - i; h = mix(h, big[i] >> 9); } for (int i = 0; i < 3; i++) { dd[i] = i * 1.5 + 0.25; h = mix(h, (unsigned)(dd[i] * 100)); }
  op = add; h = mix(h, op(3, 4)); op = h & 1 ? mul : add; h = mix(h, op(5, 6));
  u8 *raw = (u8 *)&gb; for (unsigned i = 0; i < sizeof gb; i++) h = mix(h, raw[i]);
  return h & 127;
}
