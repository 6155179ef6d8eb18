/* Switches: with and without a default, with ranges and empty cases, on conditions. */
#include "unfork.h"

enum kind { NONE, NAME, NUMBER, SIGN };

static enum kind kind_of(char c) {
  switch (c) {
  case 'a' ... 'z':
  case '_':
    return NAME;
  case '0' ... '9':
    return NUMBER;
  case '+':
  case '-':
    return SIGN;
  default:
    return NONE;
  }
}

static int next(int state, enum kind kind) {
  switch (state) {
  case 0:
    switch (kind) {
    case NAME:
      return 1;
    case NUMBER:
      return 2;
    default:
      return 0;
    }
  case 1:
    if (kind == NAME || kind == NUMBER)
      break;
    state = kind == SIGN ? 0 : 3;
    break;
  case 2:
    state = kind == NUMBER ? 2 : kind != SIGN && kind != NAME;
  }
  return state;
}

int main(void) {
  char text[3];
  int state = 0, names = 0;
  unfork_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 3 && state != 3; i++) {
    enum kind kind = kind_of(text[i]);
    state = next(state, kind);
    switch (kind == NAME && state == 1) {
    case 1:
      names++;
      break;
    }
  }
  switch (names > 1 ? names : state) {
  case 0:
    return 0;
  case 3:
    names--;
    break;
  case 1:
    break;
  }
  return names;
}
