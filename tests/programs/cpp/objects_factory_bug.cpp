/* No caller has a constructor of this class: such objects are made member by member, of any values.
   expect: unsafe
   options: --function Handle::share
   native: none (a function that is run alone) */
class Handle {
  unsigned parts;
  explicit Handle(unsigned parts) : parts(parts) {}

public:
  static Handle of(unsigned parts) { return Handle(parts == 0 ? 1 : parts); }
  unsigned share(unsigned amount) const;
};

unsigned Handle::share(unsigned amount) const { return amount / parts; } /* BUG: div-by-zero */
