#ifndef NUMBER_H
#define NUMBER_H
struct number { unsigned *digits; unsigned used; };
struct number *number_new(void);
void number_clear(struct number *number);
unsigned number_lowest(const struct number *number);
#endif
