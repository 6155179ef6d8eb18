/* The main of a program that has none and defines a fuzz target: each path calls the target once, on any input. */

typedef unsigned long size_type;

int LLVMFuzzerTestOneInput(const unsigned char *data, size_type size);
int LLVMFuzzerInitialize(int *count, char ***words) __attribute__((weak));
size_type unfork_input_most(void);
size_type unfork_input_size(void);
unsigned char *unfork_input(size_type size);
void free(void *block);

void unfork_in_target(int is_in_target);

/* What a target's own mutator may call: no path of this program mutates. */
__attribute__((weak)) size_type LLVMFuzzerMutate(unsigned char *data, size_type size, size_type most) {
    (void)data;
    return size < most ? size : most;
}

/* The size as a known number. Halving leaves few states that wait until a search wants another size. */
static size_type unfork_known_size(void) {
    size_type size = unfork_input_size(), low = 0, high = unfork_input_most();
    while (low < high) {
        size_type middle = low + (high - low) / 2;
        if (size > middle) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The exit status of a run is what the target returns: -1 means that the input is not for the corpus. */
int main(int count, char **words) {
    size_type size;
    unsigned char *data;
    int result;
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&count, &words);
    size = unfork_known_size();
    data = unfork_input(size);
    unfork_in_target(1);
    result = LLVMFuzzerTestOneInput(data, size);
    unfork_in_target(0);
    free(data);
    return result;
}
