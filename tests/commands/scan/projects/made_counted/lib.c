/* An object that is in use has a reference, so that releasing one more does not free it.

   finds: use-after-free at 34: conditional
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
  object->references++;
  if (object->value < 0) return 0;
  object_release(object);
  return object->value;
}
