/* Interest month by month, in double: a turn asks whether the balance, by then a long product, passes a mark.
   expect: unknown solver-unknown
   options: --hard sample
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned amount;
  unsigned short rate;
  unsigned char order;
  int log[4] = {0};
  unfork_symbolic(&amount, sizeof amount, "amount");
  unfork_symbolic(&rate, sizeof rate, "rate");
  unfork_symbolic(&order, sizeof order, "order");
  double balance = amount / 100.0, fees = 0;
  for (int month = 0; month < 12; month++) {
    double interest = balance * rate / 12345.0;
    if (interest > balance / 7 + month) fees += interest * 0.03;
    balance = balance * 0.995 + interest - fees;
    if (balance * balance < fees * 3.3) break;
  }
  if (order == 3) assert(fees == fees || fees != fees);
  if (order > 5) return log[order % 4];
  return 0;
}
