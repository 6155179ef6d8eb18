/* The palette has three colours, and its method lets index three through.
   scan: certain out-of-bounds 10 */
namespace paint {
class Palette {
  unsigned colours[3];
  unsigned count;

public:
  Palette();
  unsigned colour(unsigned index) const { return index <= 3 ? table()[index] : 0; }
  void reset();

private:
  static const unsigned *table() {
    static const unsigned known[3] = {0xff0000, 0xff00, 0xff};
    return known;
  }
};

Palette::Palette() : colours(), count(0) {}
void Palette::reset() { colours[0] = colour(count); }
} // namespace paint
