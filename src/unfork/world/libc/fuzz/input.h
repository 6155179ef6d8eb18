/* The engine's functions for a fuzzer's input, and its size as a known number. */

typedef unsigned long size_type;

size_type unfork_input_most(void);
size_type unfork_input_size(void);
unsigned char *unfork_input(size_type size);
void free(void *block);

/* Halving leaves few states that wait until a search wants another size. */
static size_type unfork_known_size(void) {
    size_type size = unfork_input_size(), low = 0, high = unfork_input_most();
    while (low < high) {
        size_type middle = low + (high - low) / 2;
        if (size > middle) low = middle + 1;
        else high = middle;
    }
    return low;
}
