/* A vending machine through STEPS events (coins, choice, refund, service): what was put in is what is credited, was paid
   back, or was paid for what was sold.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef STEPS
#define STEPS 24
#endif
#define PRICE 25
#define LIMIT 40
#define CAPACITY 3

enum event { NICKEL, DIME, CHOOSE, REFUND, REFILL, EVENTS };

static int credit, put_in, paid_back, sold, stock = CAPACITY;

static void insert(int coin) {
  put_in += coin;
  if (credit + coin > LIMIT)
    paid_back += coin;
  else
    credit += coin;
}

static void choose(void) {
  if (stock > 0 && credit >= PRICE) {
    credit -= PRICE;
    --stock;
    ++sold;
  }
}

int main(void) {
  unsigned char events[STEPS];

  unfork_symbolic(events, sizeof events, "events");
  for (int i = 0; i < STEPS; ++i) {
    switch (events[i] % EVENTS) {
    case NICKEL: insert(5); break;
    case DIME: insert(10); break;
    case CHOOSE: choose(); break;
    case REFUND:
      paid_back += credit;
      credit = 0;
      break;
    case REFILL: stock = CAPACITY; break;
    }
    assert(put_in == credit + paid_back + sold * PRICE);
    assert(credit >= 0 && credit <= LIMIT && stock >= 0);
  }
  return 0;
}
