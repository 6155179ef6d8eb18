/* The destructor of one global uses another, which was made later and is gone.
   expect: unsafe
   native: asan
   input: x=1 */
#include <string>
#include "unfork.h"

static bool asked;
extern std::string text;

struct Report {
  int length = 0;
  ~Report() {
    if (asked) length = text[30]; /* BUG: use-after-free */
  }
};

static Report report;
std::string text(60, 't');

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  asked = x == 1;
  return 0;
}
