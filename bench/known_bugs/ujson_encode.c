/* UltraJSON's encoder on every value that a few bytes describe (null, true, false, nested arrays), with any indentation.
 *
 * The encoder asks its user for the value piece by piece: each answer is the next byte of the shape.
 */
#include <stdlib.h>
#include "ultrajson.h"
#include "unfork.h"

#ifndef SIZE
#define SIZE 4
#endif

static unsigned char shape[SIZE];
static unsigned position;

static unsigned char next_byte(void) { return position < SIZE ? shape[position++] : 0; }

static void begin(JSOBJ value, JSONTypeContext *context, JSONObjectEncoder *encoder) {
  (void)value;
  (void)encoder;
  switch (next_byte() % 4) {
  case 0: context->type = JT_NULL; break;
  case 1: context->type = JT_TRUE; break;
  case 2: context->type = JT_FALSE; break;
  default: context->type = JT_ARRAY;
  }
}

static void end(JSOBJ value, JSONTypeContext *context) { (void)value; (void)context; }

static int has_next(JSOBJ value, JSONTypeContext *context) {
  (void)value;
  (void)context;
  return next_byte() % 2;
}

static JSOBJ element(JSOBJ value, JSONTypeContext *context) {
  (void)context;
  return value;
}

int main(void) {
  char buffer[256];
  unsigned char indent;
  JSONObjectEncoder encoder = {0};
  unfork_symbolic(shape, sizeof shape, "shape");
  unfork_symbolic(&indent, sizeof indent, "indent");
  encoder.beginTypeContext = begin;
  encoder.endTypeContext = end;
  encoder.iterNext = has_next;
  encoder.iterEnd = end;
  encoder.iterGetValue = element;
  encoder.malloc = malloc;
  encoder.realloc = realloc;
  encoder.free = free;
  encoder.indent = indent;
  char *text = JSON_EncodeObject(shape, &encoder, buffer, sizeof buffer);
  if (text != buffer) free(text);
  return 0;
}
