/* The value is read after the only reference was given back.

   finds: use-after-free at 32: certain by object_value
*/
#include <stdlib.h>

#include "lib.h"

struct object {
  unsigned references;
  int value;
};

struct object *object_new(int value) {
  struct object *object = malloc(sizeof *object);
  if (!object) abort();
  object->references = 1;
  object->value = value;
  return object;
}

void object_release(struct object *object) {
  if (!object) return;
  object->references--;
  if (object->references != 0) return;
  free(object);
}

int object_value(struct object *object) {
  if (!object) return 0;
  object_release(object);
  return object->value;
}
