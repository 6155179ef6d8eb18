/* A line of text under KEYS keystrokes (characters, backspace, delete, cursor, kill): the cursor stays in the line, the
   line in its buffer, and the terminator at its end.

   expect: safe
   native: asan
   input: keys="abc"
*/
#include <assert.h>
#include <string.h>

#include "unfork.h"

#ifndef KEYS
#define KEYS 8
#endif
#define SIZE 5

enum { HOME = 1, LEFT = 2, DELETE = 4, END = 5, RIGHT = 6, BACKSPACE = 8, KILL = 11 };

static char line[SIZE + 1];
static int length, cursor;

static void insert(char character) {
  if (length == SIZE)
    return;
  memmove(line + cursor + 1, line + cursor, (size_t)(length - cursor + 1));
  line[cursor++] = character;
  ++length;
}

static void delete_at(int place) {
  if (place < 0 || place >= length)
    return;
  memmove(line + place, line + place + 1, (size_t)(length - place));
  --length;
  if (cursor > place)
    --cursor;
}

static void press(char key) {
  switch (key) {
  case HOME: cursor = 0; break;
  case END: cursor = length; break;
  case LEFT: cursor -= cursor > 0; break;
  case RIGHT: cursor += cursor < length; break;
  case DELETE: delete_at(cursor); break;
  case BACKSPACE: delete_at(cursor - 1); break;
  case KILL: line[length = cursor] = '\0'; break;
  default:
    if (key >= ' ')
      insert(key);
  }
}

int main(void) {
  char keys[KEYS];

  unfork_symbolic(keys, sizeof keys, "keys");
  for (int i = 0; i < KEYS; ++i) {
    press(keys[i]);
    assert(0 <= cursor && cursor <= length && length <= SIZE);
    assert((int)strlen(line) == length);
  }
  return 0;
}
