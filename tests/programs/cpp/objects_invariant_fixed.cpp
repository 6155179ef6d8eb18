/* What the constructor establishes holds: the capacity is never 0, and the object is one that a caller can make.
   expect: safe
   options: --function Ring::slot
   native: none (a function that is run alone) */
class Ring {
  unsigned capacity;
  unsigned next = 0;

public:
  explicit Ring(unsigned wanted) : capacity(wanted == 0 ? 1 : wanted) {}
  unsigned slot(unsigned turn) const { return (next + turn) % capacity; }
};
