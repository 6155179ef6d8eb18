/* expect: safe */
typedef unsigned short number;
enum kind { SMALL, LARGE };
/*@ requires \valid_read(p) && by < 10; assigns \nothing; ensures \result == *p || \result == by; */
extern number (least)(const number *const p, const number by, enum kind kind) __attribute__((nonnull));
/*@ requires \valid_read(p); assigns \nothing; ensures \result == p[0] || \result == 9; */
int f(const number *p) { return least(p, 9, LARGE); }
