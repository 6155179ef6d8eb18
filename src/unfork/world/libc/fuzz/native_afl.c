/* The input of a program for AFL++ that `unfork cc` links: standard input, in one turn of the loop. */
#include <stdio.h>
#include <stdlib.h>

static unsigned char *data;
static size_t size;
static int turns;

static void take(void) {
    size_t room = 1 << 16, count;
    if (data) return;
    data = malloc(room);
    while ((count = fread(data + size, 1, room - size, stdin)) != 0)
        if ((size += count) == room) data = realloc(data, room *= 2);
}

int unfork_afl_loop(void) { return !turns++; }

unsigned char *unfork_afl_data(void) {
    take();
    return data;
}

size_t unfork_afl_size(void) {
    take();
    return size;
}
