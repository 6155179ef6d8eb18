/* One of two constructors lets the capacity be 0; a third, private, would too, but no caller has it.
   expect: unsafe
   options: --function Ring::slot
   native: none (a function that is run alone) */
class Ring {
  unsigned capacity;
  unsigned next = 0;
  Ring(unsigned wanted, int, int) : capacity(wanted) {}

public:
  explicit Ring(unsigned wanted) : capacity(wanted == 0 ? 1 : wanted) {}
  Ring(unsigned wanted, unsigned first) : capacity(wanted), next(first) {}
  unsigned slot(unsigned turn) const { return (next + turn) % capacity; } /* BUG: div-by-zero */
};
