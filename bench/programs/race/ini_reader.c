/* A reader of entries "key=value;" behind a section "[x]": keys and values have room for SIZE characters. The key's end is
   checked; the value's terminator goes one too far if the value is as long as the room.

   expect: unsafe
   native: asan
   input: text="[x]k=abc"
*/
#include <assert.h>
#include <string.h>

#include "unfork.h"

#ifndef LENGTH
#define LENGTH 10
#endif
#define SIZE 3

static char key[SIZE + 1], value[SIZE];

static const char *read_section(const char *text) {
  if (*text++ != '[' || *text == ']')
    return 0;
  while (*text != '\0' && *text != ']')
    ++text;
  return *text == ']' ? text + 1 : 0;
}

static const char *read_entry(const char *text) {
  int length = 0;

  for (; *text != '=' && *text != '\0'; ++text)
    if (length < SIZE)
      key[length++] = *text;
  key[length] = '\0';
  if (length == 0 || *text++ != '=')
    return 0;
  for (length = 0; *text != ';' && *text != '\0'; ++text)
    if (length < SIZE)
      value[length++] = *text;
  value[length] = '\0'; /* BUG: out-of-bounds */
  return *text == ';' ? text + 1 : text;
}

int main(void) {
  char text[LENGTH + 1];
  const char *rest;

  unfork_symbolic(text, sizeof text, "text");
  text[LENGTH] = '\0';
  rest = read_section(text);
  while (rest && *rest != '\0') {
    rest = read_entry(rest);
    assert(strlen(key) <= SIZE);
  }
  return rest == 0;
}
