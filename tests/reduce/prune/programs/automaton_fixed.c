/* expect: safe */
#include "unfork.h"

int main(void) {
  int state = 0;
  for (int i = 0; i < 7; i++) {
    char letter;
    unfork_symbolic(&letter, 1, "letter");
    switch (state) {
    case 0: state = letter == 'a' ? 1 : 0; break;
    case 1: state = letter == 'b' ? 2 : letter == 'a' ? 1 : 0; break;
    case 2: state = letter == 'b' ? 3 : letter == 'a' ? 1 : 0; break;
    }
  }
  unfork_check(state != 4);
  return state;
}
