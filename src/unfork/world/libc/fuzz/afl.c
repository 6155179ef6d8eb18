/* The input of a program for AFL++, which each path reads in one turn of its loop. */
#include "input.h"

static unsigned char *data;
static size_type size;
static int turns;

static void take(void) {
    if (data) return;
    size = unfork_input_size();
    data = unfork_input(&size);
}

int unfork_afl_loop(void) { return !turns++; }

unsigned char *unfork_afl_data(void) {
    take();
    return data;
}

size_type unfork_afl_size(void) {
    take();
    return size;
}
