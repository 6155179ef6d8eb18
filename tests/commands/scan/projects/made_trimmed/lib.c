/* Blanks are cut off at the end of a text that has no characters.

   finds: out-of-bounds at 35: certain by text_trim
   finds: null-dereference at 25: conditional
   finds: null-dereference at 29: conditional
   finds: null-dereference at 35: conditional by text_trim
*/
#include <stdlib.h>
#include <string.h>

#include "lib.h"

struct text {
  size_t room;
  char *characters;
};

struct text *text_new(void) {
  struct text *self = malloc(sizeof *self);
  if (!self || !(self->characters = calloc(self->room = 4, 1))) abort();
  return self;
}

size_t text_length(struct text *self) {
  return strlen(self->characters);
}

void text_push(struct text *self, char character) {
  size_t length = strlen(self->characters);
  if (length + 1 < self->room) self->characters[length] = character;
}

void text_trim(struct text *self) {
  size_t end;
  while ((end = strlen(self->characters)) < 4 && self->characters[end - 1] == ' ')
    self->characters[end - 1] = '\0';
}
