/* Copies a symbolic text between two large buffers, and marks some of its bytes: each turn forks and joins again.

   Two paths that meet differ in one byte of 128 KB, so that what a join costs depends on how it looks for that byte.

   expect: safe
   options: --merge static --similar always
   paths: 1
*/
#include <assert.h>

#include "unfork.h"

#ifndef LENGTH
#define LENGTH 64
#endif
#define SIZE (128 << 10)

static unsigned char input[SIZE], output[SIZE];

int main(void) {
  unsigned char text[LENGTH];
  int marks = 0;

  unfork_symbolic(text, sizeof text, "text");
  for (int i = 0; i < LENGTH; ++i) {
    input[i] = 'a';
    output[SIZE - 1 - i] = 'z';
  }
  for (int i = 0; i < LENGTH; ++i) {
    input[512 * i] = text[i];
    if (text[i] < ' ') {
      output[1024 * i] = '^';
      ++marks;
    } else {
      output[1024 * i + 1] = '_';
    }
  }
  assert(marks <= LENGTH);
  return 0;
}
