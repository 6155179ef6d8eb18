/* No caller has a constructor of this class: such objects are made member by member, of any values.
   expect: unsafe
   options: --function Handle::share
   native: none (a function that is run alone) */
class Handle {
  int parts;
  explicit Handle(int parts) : parts(parts) {}

public:
  static Handle of(int parts) { return Handle(parts == 0 ? 1 : parts); }
  int share(int amount) const;
};

int Handle::share(int amount) const { return amount / parts; } /* BUG: div-by-zero */
