/* The input of a program for AFL++, in memory. */
#include "input.h"

static unsigned char *data;
static size_type size;

static void take(void) {
    if (data) return;
    size = unfork_input_size();
    data = unfork_input(&size);
}

unsigned char *unfork_afl_data(void) {
    take();
    return data;
}

size_type unfork_afl_size(void) {
    take();
    return size;
}
